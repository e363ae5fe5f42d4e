// Command sparse runs the learners for bench/sparse.sh:
//
//	sparse write FOLDER
//	sparse fit FOLDER TASK LEARNER [MEGABYTES]
//
// write creates svmlight files of two tasks: TASK.train with 6000 rows and TASK.test with 3000.
// Each row has 50 of 50000 columns. In "words" the columns follow Zipf's law, and the label is the
// sign of a sum of normal weights of the 300 most frequent columns and an interaction of one pair.
// In "noise" the columns are uniform, the values normal, and the labels random.
//
// fit uses default options, with MemoryLimit if MEGABYTES is given. It prints
//
//   - the seconds to fit and to predict, and the processor time of the process so far
//   - the test error in %
//   - the resident memory in MB with the rows of both files, before the fit, and its maximum
//   - the peak of the live heap beyond the rows, the smaller of two further fits with frequent
//     garbage collection
//   - the size of the model file in MB
package main

import (
	"bufio"
	"context"
	"encoding"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"syscall"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

const (
	columns   = 50000
	perRow    = 50
	trainRows = 6000
	testRows  = 3000
	ruled     = 300 // number of most frequent columns that determine the labels
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sparse:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "write":
		return errors.Join(
			write(args[1], "words", words(rand.New(rand.NewPCG(1, 0)))),
			write(args[1], "noise", noise))
	case len(args) == 4 && args[0] == "fit":
		return fit(args[1], args[2], args[3], 0)
	case len(args) == 5 && args[0] == "fit":
		limit, err := strconv.ParseInt(args[4], 10, 32)
		if err != nil {
			return err
		}
		return fit(args[1], args[2], args[3], limit<<20)
	}
	return fmt.Errorf("arguments %q, want write FOLDER or fit FOLDER TASK LEARNER [MEGABYTES]", args)
}

// task returns the columns of a row in ascending order, its values, and its label.
type task func(r *rand.Rand) (at []int, values []float64, label int)

func write(folder, name string, of task) error {
	for seed, part := range []struct {
		end  string
		rows int
	}{{".train", trainRows}, {".test", testRows}} {
		f, err := os.Create(filepath.Join(folder, name+part.end))
		if err != nil {
			return err
		}
		w, r := bufio.NewWriter(f), rand.New(rand.NewPCG(2, uint64(seed)))
		for range part.rows {
			at, values, label := of(r)
			fmt.Fprintf(w, "%+d", label)
			for k, j := range at {
				fmt.Fprintf(w, " %d:%.4g", j+1, values[k])
			}
			fmt.Fprintln(w)
		}
		if err := errors.Join(w.Flush(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// words returns a task with a rule drawn from r.
func words(r *rand.Rand) task {
	weights, cumulative, total := make([]float64, columns), make([]float64, columns), 0.0
	for j := range weights {
		if j < ruled {
			weights[j] = r.NormFloat64()
		}
		total += 1 / float64(j+1)
		cumulative[j] = total
	}
	return func(r *rand.Rand) (at []int, values []float64, label int) {
		at = distinct(func() int {
			j, _ := slices.BinarySearch(cumulative, r.Float64()*total)
			return min(j, columns-1)
		})
		score := -.75
		for _, j := range at {
			score += weights[j]
			values = append(values, 1)
		}
		if slices.Contains(at, 10) != slices.Contains(at, 15) {
			score += 1.5
		}
		if score > 0 {
			return at, values, 1
		}
		return at, values, -1
	}
}

func noise(r *rand.Rand) (at []int, values []float64, label int) {
	at = distinct(func() int { return r.IntN(columns) })
	for range at {
		values = append(values, r.NormFloat64())
	}
	return at, values, 2*r.IntN(2) - 1
}

// distinct returns perRow different columns in ascending order.
func distinct(draw func() int) []int {
	var at []int
	for len(at) < perRow {
		if j := draw(); !slices.Contains(at, j) {
			at = append(at, j)
		}
	}
	slices.Sort(at)
	return at
}

func fit(folder, task, learner string, limit int64) error {
	o := dataset.Options{Cols: columns}
	train, err := dataset.LoadSparse(filepath.Join(folder, task+".train"), o)
	if err != nil {
		return err
	}
	test, err := dataset.LoadSparse(filepath.Join(folder, task+".test"), o)
	if err != nil {
		return err
	}
	held, err := resident()
	if err != nil {
		return err
	}
	began := time.Now()
	m, err := learn(learner, train.Rows(), train.Targets(), limit)
	if err != nil {
		return err
	}
	learned := time.Now()
	labels, err := m.Predict(test.Rows())
	if err != nil {
		return err
	}
	predicted := time.Since(learned)
	right, err := dataset.Accuracy(labels, test.Targets())
	if err != nil {
		return err
	}
	file, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	inUse := math.Inf(1)
	for range 2 {
		most, err := mostInUse(func() error {
			_, err := learn(learner, train.Rows(), train.Targets(), limit)
			return err
		})
		if err != nil {
			return err
		}
		inUse = min(inUse, most) // a large array allocated during a collection counts twice
	}
	fmt.Printf("%-6s %-12s %8.2f %9.2f %8.2f %8.2f %8.0f %8.0f %8.0f %9.2f\n", task, learner, learned.Sub(began).Seconds(), predicted.Seconds(),
		cpu, 100*(1-right), math.Ceil(held), math.Ceil(float64(used.Maxrss)/1024), math.Ceil(inUse), float64(len(file))/(1<<20))
	return nil
}

// mostInUse returns the peak of the live heap during do, minus the live heap before, in MB. The
// garbage collector runs after every 5 % of heap growth, and the live heap is sampled every
// millisecond.
func mostInUse(do func() error) (float64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	for range 3 { // the second collection empties the pools
		runtime.GC()
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	before, most, done := live[0].Value.Uint64(), uint64(0), make(chan error)
	go func() { done <- do() }()
	for {
		select {
		case err := <-done:
			return float64(most-min(most, before)) / (1 << 20), err
		case <-time.After(time.Millisecond):
			metrics.Read(live)
			most = max(most, live[0].Value.Uint64())
		}
	}
}

// resident returns the resident memory in MB, after it returns free memory to the operating
// system.
func resident() (float64, error) {
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var size, pages int
	if _, err := fmt.Sscan(string(status), &size, &pages); err != nil {
		return 0, err
	}
	return float64(pages*os.Getpagesize()) / (1 << 20), nil
}

// classifier is a classifier with a file format.
type classifier interface {
	rkhs.Classifier
	encoding.BinaryMarshaler
}

func learn(learner string, x, y mat.Matrix, limit int64) (classifier, error) {
	ctx := context.Background()
	switch learner {
	case "slkl":
		return slkl.FitClassifier(ctx, x, y, &slkl.Options{MemoryLimit: limit})
	case "doublysgd":
		return doublysgd.FitClassifier(ctx, x, y, &doublysgd.Options{MemoryLimit: limit})
	case "polk":
		return polk.FitClassifier(ctx, x, y, &polk.Options{MemoryLimit: limit})
	case "svm":
		return svm.FitClassifier(ctx, x, y, &svm.Options{MemoryLimit: limit})
	case "ridge":
		return ridge.FitClassifier(ctx, x, y, &ridge.Options{MemoryLimit: limit})
	}
	return nil, fmt.Errorf("no learner %q: want slkl, doublysgd, polk, svm or ridge", learner)
}
