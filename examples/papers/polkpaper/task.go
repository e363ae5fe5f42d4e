package polkpaper

import (
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	lam   = 1e-6
	batch = 32 // rows per step
)

// task is a classification problem with the settings of its methods.
type task struct {
	train, test *dataset.Set
	classes     int
	bayes       float64 // error of the Bayes rule, or NaN if unknown
	kernel      kernel.Gaussian
	step        float64   // eta of POLK as in the paper
	ks          []float64 // K of POLK as in the paper
	budgeted    float64   // eta of NORMA and BSGD
	every       int       // rows between points of a curve
	svmRows     int       // limit of rows for the problem of LIBSVM
	batchRows   int       // limit of rows for L-BFGS, or 0 to skip it
	imports     bool      // run the import vector machine
}

// multidist is the task of section 5.1 with modes drawn by seed.
func multidist(short bool, seed uint64) *task {
	rows := 5000
	if short {
		rows = 600
	}
	all, best := synthetic.Multidist(rows+rows/2, seed)
	return &task{
		train: between(all, 0, rows), test: between(all, rows, len(all.Y)), classes: 5,
		bayes:  curve.Bayes(best[rows:], all.Y[rows:]),
		kernel: kernel.Gaussian{Sigma: 0.6}, step: 6, ks: []float64{0.04, 1e-4}, budgeted: 1,
		every: 5 * batch, svmRows: rows, batchRows: rows, imports: true,
	}
}

// between returns rows [from, to) of s.
func between(s *dataset.Set, from, to int) *dataset.Set {
	_, d := s.X.Dims()
	return &dataset.Set{X: s.X.Slice(from, to, 0, d).(*mat.Dense), Y: s.Y[from:to]}
}

// texturesTask replaces brodatz.
func texturesTask(short bool, seed uint64) (*task, error) {
	rows := 10000
	if short {
		rows = 600
	}
	train, test := textures(rows, rows/5, seed)
	median, err := kernel.MedianDistance(train.X, seed)
	if err != nil {
		return nil, err
	}
	return &task{
		train: train, test: test, classes: textureClasses, bayes: math.NaN(),
		kernel: kernel.Gaussian{Sigma: 0.4 * median}, step: 24, ks: []float64{0.02, 0.005}, budgeted: 1,
		every: rows / 15 / batch * batch, svmRows: rows, batchRows: rows / 5,
	}, nil
}

// mnist is the task of section 5.2 on pixels in [0, 1].
func mnist(s *report.Settings, short bool) (*task, error) {
	train, err := digits(s, "train")
	if err != nil {
		return nil, err
	}
	test, err := digits(s, "t10k")
	if err != nil {
		return nil, err
	}
	if short {
		train, test = between(train, 0, 600), between(test, 0, 500)
	}
	n := len(train.Y)
	return &task{
		train: train, test: test, classes: 10, bayes: math.NaN(),
		kernel: kernel.Gaussian{Sigma: 4}, step: 24, ks: []float64{0.04, 0.02}, budgeted: 1,
		every: n / 6 / batch * batch, svmRows: min(n, 10000),
	}, nil
}

func digits(s *report.Settings, part string) (*dataset.Set, error) {
	set, err := dataset.LoadIDXPair(filepath.Join(s.Data, part+"-images-idx3-ubyte.gz"), filepath.Join(s.Data, part+"-labels-idx1-ubyte.gz"))
	if err != nil {
		return nil, err
	}
	set.X.Scale(1./255, set.X)
	return set, nil
}
