package svm

import (
	"cmp"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg begins the errors of this package.
const pkg = "svm"

// Options configures a fit. The zero value of each field means its default; nil means all
// defaults. Each of FitClassifier, Fit and FitNovelty refuses what only another uses.
type Options struct {
	// Kernel is k. Default: the metric, the family and the bandwidth of which kernel ridge regression predicts rows left
	// out best, as in package ridge; of FitNovelty, which has no targets, the kernel.Gaussian whose Sigma is the median
	// distance of up to 1000 rows.
	Kernel kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn. Default:
	// kernel.AutoMetric.
	Metric kernel.Metric
	// Precomputed says that x is the Gram matrix of the rows, n×n and symmetric, in place of
	// the rows, and that the model is given for m rows the m×n values of the kernel with all
	// rows that it was fitted to.
	Precomputed bool

	// C is the weight of the losses, that of LIBSVM: Σ_i C·w_i·l_i beside ‖f‖²/2, for weights w of mean one. Default:
	// of eleven, each √10 times the one before, around the scale of the kernel, the smallest with the fewest
	// wrong labels, or the least mean absolute error, in five folds of up to 4000 rows.
	C float64
	// Epsilon is half of the width of the tube of Fit, in units of the targets: errors below
	// are no loss. Default: 3·σ·√(ln n/n) for n rows (Cherkassky and Ma 2004), where σ² is the
	// error that kernel ridge regression has at rows left out, and no less than a thousandth
	// of the deviation of the targets.
	Epsilon float64
	// Fraction is the part nu of the rows, or of their weights, that may be outside for
	// FitNovelty, in (0, 1). Default: 0.1.
	Fraction float64

	// Tolerance is where the solution ends: both the violation of the optimality conditions,
	// in units of the margin, of the deviation of the targets, or of the mean of k(x, x), and
	// the relative gap are at most this. Default: 1e-3.
	Tolerance float64
	// Iterations bounds the steps on pairs of variables, for each output or pair of labels. A
	// given Tolerance that they do not reach is rkhs.ErrNotConverged. Default: the larger of 10⁷
	// and 100·n.
	Iterations int
	strict     bool // whether Tolerance was given

	// Uncalibrated leaves out what Proba and Interval are made by: other fits to the rows outside of a fifth of
	// them, five of up to 2000 rows, fewer of more, and one from 10000 on.
	Uncalibrated bool

	// MemoryLimit bounds the bytes that a fit may allocate. An eighth of it, and no more than
	// 256 MiB, holds rows of the Gram matrix, or a quarter of that for each of several pairs.
	// Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: the rows of the search, and the folds.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the result by a
	// bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: in the phase "search" Done is the
	// part of the search for the kernel that is over, in "folds" Done counts the folds that C
	// was judged by; in "folds" and "fit" Iteration counts steps on pairs, and Gap is the
	// violation. Objective is NaN.
	Recorder rkhs.Recorder
}

const (
	defaultFraction  = 0.1
	defaultTolerance = 1e-3
)

// checked returns the options with what is not given and needs no data.
func (o *Options) checked() (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := door.Ranges(pkg, []door.Field{
		{Name: "Metric", Value: float64(c.Metric), OK: c.Metric.Valid()},
		{Name: "C", Value: c.C, OK: c.C == 0 || door.WithinRange(c.C)},
		{Name: "Epsilon", Value: c.Epsilon, OK: c.Epsilon >= 0 && compute.Finite(c.Epsilon)},
		{Name: "Fraction", Value: c.Fraction, OK: c.Fraction >= 0 && c.Fraction < 1},
		{Name: "Tolerance", Value: c.Tolerance, OK: c.Tolerance >= 0 && c.Tolerance < 1},
		{Name: "Iterations", Value: float64(c.Iterations), OK: c.Iterations >= 0},
		{Name: "MemoryLimit", Value: float64(c.MemoryLimit), OK: c.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	if err == nil && c.Kernel != nil {
		err = door.Refuse(pkg, "a given Kernel", []door.Unused{{Name: "Metric", Set: c.Metric != kernel.AutoMetric}})
	}
	if err == nil && c.Precomputed {
		err = door.Refuse(pkg, "a Gram matrix that is Precomputed", []door.Unused{
			{Name: "Kernel", Set: c.Kernel != nil}, {Name: "Metric", Set: c.Metric != kernel.AutoMetric}})
	}
	c.strict = c.Tolerance > 0
	c.Tolerance = cmp.Or(c.Tolerance, defaultTolerance)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, door.DefaultMemory)
	return c, err
}

// unused lists the options of which each mode uses some.
func (o *Options) unused(fields ...string) []door.Unused {
	set := map[string]bool{"C": o.C != 0, "Epsilon": o.Epsilon != 0, "Fraction": o.Fraction != 0, "Metric": o.Metric != kernel.AutoMetric, "Uncalibrated": o.Uncalibrated}
	var list []door.Unused
	for _, name := range fields {
		list = append(list, door.Unused{Name: name, Set: set[name]})
	}
	return list
}
