// Command calibration measures probabilities and prediction intervals of learners with default
// options:
//
//	calibration [-learners ridge,slkl] [-peers FILE] SPLITS
//
// SPLITS is a folder written by bench/defaults -dump. For each table and learner the command
// prints means over the splits. For a classification these are
//
//   - the error rate and the log loss
//   - the expected calibration error of the predicted label, in 15 bins of equal size
//   - the mean and standard deviation of that error under correct probabilities
//   - the number of splits where the calibration error is at most .02, or at most that mean plus
//     that standard deviation
//
// For a regression these are the root mean squared error, and the coverage and mean width of the
// 90 % intervals. The results of peers come from a file written by bench/calibration.py.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

var (
	selected = flag.String("learners", "ridge,doublysgd,slkl,polk,alignment,svm,gp", "learners, by comma")
	names    = flag.String("tables", "", "tables, by comma; all by default")
	splits   = flag.Int("splits", 10, "splits of a table, at most")
	least    = flag.Int("test", 1000, "skip classifications with fewer test rows")
	peers    = flag.String("peers", "", "file of what peers reached")
)

func main() {
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "calibration:", err)
		os.Exit(1)
	}
}

// bins is the number of bins of the largest probability.
const bins = 15

// split is one train-test split of a table.
type split struct {
	classes      int
	x, y, tx, ty *mat.Dense
}

func read(path string) (*split, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	v := make([]float64, info.Size()/8)
	if err := binary.Read(bufio.NewReader(f), binary.LittleEndian, v); err != nil {
		return nil, err
	}
	n, m, d := int(v[0]), int(v[1]), int(v[2])
	at := 4
	next := func(rows, columns int) *mat.Dense {
		at += rows * columns
		return mat.NewDense(rows, columns, v[at-rows*columns:at])
	}
	return &split{int(v[3]), next(n, d), next(n, 1), next(m, d), next(m, 1)}, nil
}

// run compares the tables of a folder of splits. File names are "NAME NUMBER ROWS".
func run(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	tables := map[string][]string{}
	var order []string
	for _, f := range files {
		name := filepath.Base(f)
		name, _, _ = strings.Cut(name, " ")
		if *names != "" && !slices.Contains(strings.Split(*names, ","), name) {
			continue
		}
		if tables[name] == nil {
			order = append(order, name)
		}
		if len(tables[name]) < *splits {
			tables[name] = append(tables[name], f)
		}
	}
	peerFiles := map[string][]string{}
	if *peers != "" {
		text, err := os.ReadFile(*peers)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			if name, rest, ok := strings.Cut(line, " "); ok {
				peerFiles[name] = append(peerFiles[name], rest)
			}
		}
	}
	for _, name := range order {
		if err := compare(name, tables[name], peerFiles[name]); err != nil {
			return err
		}
	}
	return nil
}

// compare prints a line for each learner.
func compare(name string, files, peerFiles []string) error {
	var list []*split
	for _, f := range files {
		s, err := read(f)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if rows, _ := list[0].ty.Dims(); list[0].classes > 0 && rows < *least {
		return nil
	}
	columns := "errors  log loss    ECE by chance ± within"
	if list[0].classes == 0 {
		columns = "  RMSE  coverage  width"
	}
	fmt.Printf("%-18s %s  seconds  by\n", name, columns)
	for _, learner := range strings.Split(*selected, ",") {
		fit := learners(learner, list[0].classes > 0)
		if fit == nil {
			continue
		}
		sum, how, within := figures{}, "", 0
		start := time.Now()
		for seed, s := range list {
			v, method, err := measure(fit, s, uint64(seed))
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, learner, err)
			}
			how = method
			for i := range sum {
				sum[i] += v[i] / float64(len(list))
			}
			if v[2] <= max(wanted, v[3]+v[4]) {
				within++
			}
		}
		chance := ""
		if list[0].classes > 0 {
			chance = fmt.Sprintf("%7.4g %7.4g %d/%d", sum[3], sum[4], within, len(list))
		}
		fmt.Printf("  %-16s %6.4g   %7.4g %7.4g %s %7.2f  %s\n", learner, sum[0], sum[1], sum[2], chance, time.Since(start).Seconds()/float64(len(list)), how)
	}
	for _, line := range peerFiles {
		fmt.Println("  " + line)
	}
	return nil
}

type fitted func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error)

// by returns a fitted from the fit function of a learner, its options for a seed, and the
// calibration in its report.
func by[M rkhs.Model, O any](fit func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error), options func(seed uint64) *O, calibration func(M) rkhs.Calibration) fitted {
	return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
		m, err := fit(context.Background(), x, y, options(seed))
		return m, calibration(m), err
	}
}

func ridgeOptions(seed uint64) *ridge.Options         { return &ridge.Options{Seed: seed} }
func doublysgdOptions(seed uint64) *doublysgd.Options { return &doublysgd.Options{Seed: seed} }
func slklOptions(seed uint64) *slkl.Options           { return &slkl.Options{Seed: seed} }
func polkOptions(seed uint64) *polk.Options           { return &polk.Options{Seed: seed} }
func alignmentOptions(seed uint64) *alignment.Options { return &alignment.Options{Seed: seed} }
func svmOptions(seed uint64) *svm.Options             { return &svm.Options{Seed: seed} }
func gpOptions(seed uint64) *gp.Options               { return &gp.Options{Seed: seed} }

var classifiers = map[string]fitted{
	"ridge":     by(ridge.FitClassifier, ridgeOptions, func(m *ridge.Classifier) rkhs.Calibration { return m.Report().Calibration }),
	"doublysgd": by(doublysgd.FitClassifier, doublysgdOptions, func(m *doublysgd.Classifier) rkhs.Calibration { return m.Report().Calibration }),
	"slkl":      by(slkl.FitClassifier, slklOptions, func(m *slkl.Classifier) rkhs.Calibration { return m.Report().Calibration }),
	"polk":      by(polk.FitClassifier, polkOptions, func(m *polk.Classifier) rkhs.Calibration { return m.Report().Calibration }),
	"alignment": by(alignment.FitClassifier, alignmentOptions, func(m *alignment.Classifier) rkhs.Calibration { return m.Report().Calibration }),
	"svm":       by(svm.FitClassifier, svmOptions, func(m *svm.Classifier) rkhs.Calibration { return m.Report().Calibration }),
}

var regressions = map[string]fitted{
	"ridge":     by(ridge.Fit, ridgeOptions, func(m *ridge.Model) rkhs.Calibration { return m.Report().Calibration }),
	"doublysgd": by(doublysgd.Fit, doublysgdOptions, func(m *doublysgd.Model) rkhs.Calibration { return m.Report().Calibration }),
	"slkl":      by(slkl.Fit, slklOptions, func(m *slkl.Model) rkhs.Calibration { return m.Report().Calibration }),
	"polk":      by(polk.Fit, polkOptions, func(m *polk.Model) rkhs.Calibration { return m.Report().Calibration }),
	"alignment": by(alignment.Fit, alignmentOptions, func(m *alignment.Model) rkhs.Calibration { return m.Report().Calibration }),
	"svm":       by(svm.Fit, svmOptions, func(m *svm.Model) rkhs.Calibration { return m.Report().Calibration }),
	"gp":        by(gp.Fit, gpOptions, func(*gp.Model) rkhs.Calibration { return rkhs.Calibration{} }),
}

// learners returns the named learner, or nil if it does not support the task.
func learners(name string, classes bool) fitted {
	if classes {
		return classifiers[name]
	}
	return regressions[name]
}

// figures are the columns of the table. For a classification: error rate, log loss, calibration
// error, and the mean and standard deviation of the latter under correct probabilities. For a
// regression: root mean squared error, coverage and width.
type figures [5]float64

// wanted is the target calibration error. Small test sets may exceed it by chance.
const wanted = .02

// measure fits a learner and computes its figures.
func measure(fit fitted, s *split, seed uint64) (v figures, method string, err error) {
	m, c, err := fit(s.x, s.y, seed)
	if err != nil {
		return v, "", err
	}
	predicted, err := m.Predict(s.tx)
	if err != nil {
		return v, "", err
	}
	if s.classes == 0 {
		if v[0], err = dataset.RMSE(predicted, s.ty); err != nil {
			return v, "", err
		}
		lower, upper, err := m.(rkhs.Intervaled).Interval(s.tx, 0.9)
		if err != nil {
			return v, "", err
		}
		v[1], v[2], err = dataset.Coverage(lower, upper, s.ty)
		return v, c.Method, err
	}
	accuracy, err := dataset.Accuracy(predicted, s.ty)
	if err != nil {
		return v, "", err
	}
	p, err := m.(rkhs.Probabilistic).Proba(s.tx)
	if err != nil {
		return v, "", err
	}
	labels := m.(rkhs.Classifier).Labels()
	v[0] = 1 - accuracy
	if v[1], err = dataset.LogLoss(p, s.ty, labels); err != nil {
		return v, "", err
	}
	if v[2], err = dataset.CalibrationError(p, s.ty, labels, bins); err != nil {
		return v, "", err
	}
	v[3], v[4], err = chance(p, labels, seed)
	return v, c.Method, err
}

// chance returns the mean and standard deviation of the calibration error over random labels drawn
// from the probabilities. A correct model of n rows has this calibration error.
func chance(p *mat.Dense, labels []int, seed uint64) (mean, deviation float64, err error) {
	const draws = 100
	n, _ := p.Dims()
	random := rng.New(seed, "labels by chance", 0)
	y, of := mat.NewDense(n, 1, nil), make([]float64, draws)
	for d := range of {
		for i := range n {
			u, k := random.Float64(), 0
			for row := p.RawRowView(i); k < len(row)-1 && u >= row[k]; k++ {
				u -= row[k]
			}
			y.Set(i, 0, float64(labels[k]))
		}
		if of[d], err = dataset.CalibrationError(p, y, labels, bins); err != nil {
			return 0, 0, err
		}
	}
	mean, deviation = stat.MeanStdDev(of, nil)
	return mean, deviation, nil
}
