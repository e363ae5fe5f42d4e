// Command sparse is this module's side of bench/sparse.sh:
//
//	sparse write FOLDER
//	sparse fit FOLDER TASK LEARNER [MEGABYTES]
//
// write makes svmlight files of two tasks, TASK.train of 6000 rows and TASK.test of 3000, each
// row with 50 of 50000 columns. Columns of "words" come by Zipf's law, and labels by the sign of
// a sum of normal weights of the 300 most frequent and a term of one pair;
// columns of "noise" are uniform with normal values, and its labels random. fit learns by default,
// but for MemoryLimit where MEGABYTES are given, and prints the seconds to learn and to predict, the error in %, the resident memory of the
// process with the rows of both files before it learns, the largest of all, what is in use at a time beside the rows, at most, in
// another fit during which garbage is collected all the time, the less of two such, and the size of the file of the model.
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
	ruled     = 300 // columns, the most frequent, that labels depend on
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

// task returns the elements of a row, in ascending columns, and its label.
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

// words draws its rule from r.
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

// distinct returns perRow different columns, ascending.
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
		inUse = min(inUse, most) // a large array that is made during a collection counts twice
	}
	fmt.Printf("%-6s %-12s %8.2f %9.2f %8.2f %8.2f %8.0f %8.0f %8.0f %9.2f\n", task, learner, learned.Sub(began).Seconds(), predicted.Seconds(),
		cpu, 100*(1-right), math.Ceil(held), math.Ceil(float64(used.Maxrss)/1024), math.Ceil(inUse), float64(len(file))/(1<<20))
	return nil
}

// mostInUse returns the most megabytes that are in use while do runs, beyond those before: what collections
// leave that begin whenever the heap has grown by a twentieth.
func mostInUse(do func() error) (float64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	for range 3 { // what pools keep goes with the second
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

// resident returns the megabytes of memory that are, after what reading left is given back.
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

// classifier is one that has a file.
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
