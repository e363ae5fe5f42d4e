// Command calibration measures probabilities and prediction intervals of learners by default:
//
//	calibration [-learners ridge,slkl] [-peers FILE] SPLITS
//
// SPLITS is the folder of splits that bench/defaults -dump writes. For each table and learner it
// prints means over the splits: of a classification errors, log loss, and the expected calibration
// error of the label of the largest probability in 15 bins of as many rows, with what chance alone would make of it
// if these probabilities were right, the deviation of that, and of how many splits the error is at most .02 or
// chance and its deviation; of a regression the root mean squared error, the coverage of
// intervals of level .9 and their mean width. What peers reached is read from
// a file that bench/calibration.py writes.
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

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

var (
	chosen = flag.String("learners", "ridge,doublysgd,slkl,polk,alignment,svm,gp", "learners, by comma")
	names  = flag.String("tables", "", "tables, by comma; all by default")
	splits = flag.Int("splits", 10, "splits of a table, at most")
	least  = flag.Int("test", 1000, "classifications with fewer rows to test on are left out")
	peers  = flag.String("peers", "", "file of what peers reached")
)

func main() {
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "calibration:", err)
		os.Exit(1)
	}
}

// bins is how many parts the rows are cut into by their largest probability.
const bins = 15

// split is a table divided.
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
	take := func(rows, columns int) *mat.Dense {
		at += rows * columns
		return mat.NewDense(rows, columns, v[at-rows*columns:at])
	}
	return &split{int(v[3]), take(n, d), take(n, 1), take(m, d), take(m, 1)}, nil
}

// run goes over the tables of a folder of splits, "NAME NUMBER ROWS".
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
	beside := map[string][]string{}
	if *peers != "" {
		text, err := os.ReadFile(*peers)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			if name, rest, ok := strings.Cut(line, " "); ok {
				beside[name] = append(beside[name], rest)
			}
		}
	}
	for _, name := range order {
		if err := compare(name, tables[name], beside[name]); err != nil {
			return err
		}
	}
	return nil
}

// compare prints a line for each learner.
func compare(name string, files, beside []string) error {
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
	for _, by := range strings.Split(*chosen, ",") {
		fit := learners(by, list[0].classes > 0)
		if fit == nil {
			continue
		}
		sum, how, within := figures{}, "", 0
		start := time.Now()
		for seed, s := range list {
			v, method, err := measure(fit, s, uint64(seed))
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, by, err)
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
		fmt.Printf("  %-16s %6.4g   %7.4g %7.4g %s %7.2f  %s\n", by, sum[0], sum[1], sum[2], chance, time.Since(start).Seconds()/float64(len(list)), how)
	}
	for _, line := range beside {
		fmt.Println("  " + line)
	}
	return nil
}

type fitted func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error)

func learners(name string, classes bool) fitted {
	ctx := context.Background()
	switch {
	case name == "ridge" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := ridge.FitClassifier(ctx, x, y, &ridge.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "ridge":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := ridge.Fit(ctx, x, y, &ridge.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "doublysgd" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := doublysgd.FitClassifier(ctx, x, y, &doublysgd.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "doublysgd":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := doublysgd.Fit(ctx, x, y, &doublysgd.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "slkl" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := slkl.FitClassifier(ctx, x, y, &slkl.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "slkl":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := slkl.Fit(ctx, x, y, &slkl.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "polk" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := polk.FitClassifier(ctx, x, y, &polk.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "polk":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := polk.Fit(ctx, x, y, &polk.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "alignment" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := alignment.FitClassifier(ctx, x, y, &alignment.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "alignment":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := alignment.Fit(ctx, x, y, &alignment.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "svm" && classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := svm.FitClassifier(ctx, x, y, &svm.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "svm":
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := svm.Fit(ctx, x, y, &svm.Options{Seed: seed})
			return m, m.Report().Calibration, err
		}
	case name == "gp" && !classes:
		return func(x, y mat.Matrix, seed uint64) (rkhs.Model, rkhs.Calibration, error) {
			m, err := gp.Fit(ctx, x, y, &gp.Options{Seed: seed})
			return m, rkhs.Calibration{Method: "posterior"}, err
		}
	}
	return nil
}

// figures are what the columns of the table say: of a classification errors, log loss, calibration error, that by
// chance and its deviation, of a regression root mean squared error, coverage and width.
type figures [5]float64

// wanted is the calibration error of probabilities to be trusted, if chance alone leaves so little.
const wanted = .02

// measure fits a learner.
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

// chance is the mean of the calibration error, and its deviation, over draws of labels by the probabilities
// themselves: what is left of it by n rows where they are right.
func chance(p *mat.Dense, labels []int, seed uint64) (mean, deviation float64, err error) {
	const draws = 100
	n, _ := p.Dims()
	random := rand.New(rand.NewSource(seed))
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
