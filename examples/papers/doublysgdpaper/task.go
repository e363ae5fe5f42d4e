package doublysgdpaper

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/kernel"
)

// task is a classification problem with labels −1 and 1, or 0 … classes−1.
type task struct {
	title       string
	train, test *dataset.Set
	classes     int
	kernel      kernel.Gaussian
	rank        int // features of the approximations
	dualRows    int // limit of training rows for k-SDCA
	passes      int // passes of the methods with several passes
	rounds      int // passes of the competitors
	reference   map[string]string
	paper       string // conclusion of the paper
	figure      string // file name, or "" for no figure
	seed        uint64
}

// newTask uses the median distance as bandwidth.
func newTask(s *settings, title string, train, test *dataset.Set, classes int) (*task, error) {
	median, err := kernel.MedianDistance(train.X, s.Seed)
	if err != nil {
		return nil, err
	}
	title = fmt.Sprintf("%s: %d rows, test error in %% on %d", title, len(train.Y), len(test.Y))
	return &task{title: title, train: train, test: test, classes: classes, kernel: kernel.Gaussian{Sigma: median},
		rank: s.rows(1024, 128), dualRows: len(train.Y), passes: 3, rounds: 1, seed: s.Seed}, nil
}

// nu is the weight of the squared norm, 1/n.
func (t *task) nu() float64 { return 1 / float64(len(t.train.Y)) }

// targets returns the labels of two classes (n×1), or ±1 for each class against the rest
// (n×classes).
func (t *task) targets() *mat.Dense {
	n := len(t.train.Y)
	if t.classes == 2 {
		return mat.NewDense(n, 1, t.train.Y)
	}
	y := mat.NewDense(n, t.classes, nil)
	for i, label := range t.train.Y {
		for o := range t.classes {
			y.Set(i, o, -1)
		}
		y.Set(i, int(label), 1)
	}
	return y
}

// percent returns the percentage of test errors for the given scores.
func (t *task) percent(scores *mat.Dense) float64 {
	labels := make([]float64, len(t.test.Y))
	for i := range labels {
		f := scores.RawRowView(i)
		switch {
		case t.classes > 2:
			labels[i] = float64(floats.MaxIdx(f))
		case f[0] > 0:
			labels[i] = 1
		default:
			labels[i] = -1
		}
	}
	return t.percentOf(labels)
}

func (t *task) percentOf(labels []float64) float64 {
	return 100 * float64(score.Errors(labels, t.test.Y)) / float64(len(labels))
}

// head returns the first n rows of s, or all if there are fewer.
func head(s *dataset.Set, n int) *dataset.Set {
	n = min(n, len(s.Y))
	_, d := s.X.Dims()
	return &dataset.Set{X: s.X.Slice(0, n, 0, d).(*mat.Dense), Y: s.Y[:n]}
}

func adultTask(s *settings) (*task, error) {
	o := dataset.Options{Cols: 123}
	train, err := dataset.Load(filepath.Join(s.Data, "a9a.train.svm.gz"), o)
	if err != nil {
		return nil, err
	}
	test, err := dataset.Load(filepath.Join(s.Data, "a9a.test.svm.gz"), o)
	if err != nil {
		return nil, err
	}
	return newTask(s, "7.3, Adult", head(train, s.rows(len(train.Y), 1000)), head(test, s.rows(len(test.Y), 1000)), 2)
}

// covtypeTask is class 2 against the rest, with each column scaled to [0, 1].
func covtypeTask(s *settings) (*task, error) {
	all, err := s.Load("covtype-sample15k.csv.gz")
	if err != nil {
		return nil, err
	}
	for i, label := range all.Y {
		all.Y[i] = -1
		if label == 2 {
			all.Y[i] = 1
		}
	}
	n, d := all.X.Dims()
	column := make([]float64, n)
	for j := range d {
		mat.Col(column, j, all.X)
		low, high := floats.Min(column), floats.Max(column)
		floats.AddConst(-low, column)
		if high > low {
			floats.Scale(1/(high-low), column)
		}
		all.X.SetCol(j, column)
	}
	const train = 12000
	test := &dataset.Set{X: all.X.Slice(train, n, 0, d).(*mat.Dense), Y: all.Y[train:]}
	return newTask(s, "7.3, a sample of covtype", head(all, s.rows(train, 1000)), head(test, s.rows(n-train, 1000)), 2)
}
