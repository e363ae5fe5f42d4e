package svm

import (
	"cmp"
	"context"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// pkg is the prefix of errors.
const pkg = "svm"

// Options configures a fit. The zero value of each field selects its default, and nil selects all
// defaults. FitClassifier, Fit and FitNovelty return an error for an option that they do not use.
type Options struct {
	// Kernel is k. Default: the metric, family and bandwidth with the lowest error of ridge
	// regression on held-out rows; for FitNovelty a kernel.Gaussian with the median distance of up
	// to 1000 rows as Sigma.
	Kernel kernel.Kernel
	// Metric is the kind of linear map that the kernel search may learn. Default:
	// kernel.AutoMetric.
	Metric kernel.Metric
	// Precomputed declares that x is the symmetric n×n Gram matrix of the rows. The model then
	// accepts m×n kernel values of m rows with all training rows.
	Precomputed bool

	// C is the weight of the losses as in LIBSVM: Σ_i C·w_i·l_i with weights w of mean one.
	// Default: the value with the lowest error in five folds; see "Selection".
	C float64
	// Epsilon is the largest error without loss in Fit, in units of the targets. Default:
	// 3·σ·√(ln n/n) with the leave-one-out error σ² of ridge regression.
	Epsilon float64
	// Nu is nu, the fraction of the rows that may be outside in FitNovelty, in (0, 1).
	// Default: 0.1.
	Nu float64

	// Tolerance bounds the relative gap and the violation of the optimality conditions, in units
	// of the margin, of the deviation of the targets, or of the mean of k(x, x). Default: 1e-3.
	Tolerance float64
	// Iterations bounds the steps on pairs of variables for each machine. If a given Tolerance is
	// not reached, the fit returns rkhs.ErrNotConverged. Default: the larger of 10⁷ and 100·n.
	Iterations int
	strict     bool // Tolerance was given

	// NoCalibration omits the fits for Proba and Interval: one to five more, each without a fifth
	// of the rows.
	NoCalibration bool

	// MemoryLimit bounds the bytes that a fit may allocate. The cache of the Gram matrix uses an
	// eighth, at most 256 MiB. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams of the kernel search and of the folds.
	Seed uint64
	// Workers bounds the goroutines. It does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress. In the phases "folds" and "fit" Iteration counts
	// steps on pairs and Gap is the violation.
	Recorder rkhs.Recorder
}

const (
	defaultNu        = 0.1
	defaultTolerance = 1e-3
)

// enter returns the options with defaults. The fields unused must not be set; mode is the name of
// the function that does not use them.
func (o *Options) enter(ctx context.Context, mode string, unused ...string) (*Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	if err := c.check(); err != nil {
		return nil, err
	}
	set := map[string]bool{"C": c.C != 0, "Epsilon": c.Epsilon != 0, "Nu": c.Nu != 0,
		"Metric": c.Metric != kernel.AutoMetric, "NoCalibration": c.NoCalibration}
	for _, name := range unused {
		if err := input.Refuse(pkg, mode, []input.Unused{{Name: name, Set: set[name]}}); err != nil {
			return nil, err
		}
	}
	c.strict = c.Tolerance > 0
	c.Tolerance = cmp.Or(c.Tolerance, defaultTolerance)
	c.MemoryLimit = cmp.Or(c.MemoryLimit, input.DefaultMemory)
	return &c, input.Context(pkg, ctx)
}

// check returns an error if an option is invalid or in conflict with another.
func (o *Options) check() error {
	metric := input.Unused{Name: "Metric", Set: o.Metric != kernel.AutoMetric}
	err := input.Ranges(pkg, []input.Field{
		{Name: "Metric", Value: float64(o.Metric), OK: o.Metric.Valid()},
		{Name: "C", Value: o.C, OK: o.C == 0 || input.WithinRange(o.C)},
		{Name: "Epsilon", Value: o.Epsilon, OK: o.Epsilon >= 0 && compute.Finite(o.Epsilon)},
		{Name: "Nu", Value: o.Nu, OK: o.Nu >= 0 && o.Nu < 1},
		{Name: "Tolerance", Value: o.Tolerance, OK: o.Tolerance >= 0 && o.Tolerance < 1},
		{Name: "Iterations", Value: float64(o.Iterations), OK: o.Iterations >= 0},
		{Name: "MemoryLimit", Value: float64(o.MemoryLimit), OK: o.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(o.Workers), OK: o.Workers >= 0},
	})
	if err == nil && o.Kernel != nil {
		err = input.Refuse(pkg, "a given Kernel", []input.Unused{metric})
	}
	if err == nil && o.Precomputed {
		err = input.Refuse(pkg, "a Precomputed Gram matrix", []input.Unused{{Name: "Kernel", Set: o.Kernel != nil}, metric})
	}
	return err
}

// form returns the accepted form of the rows.
func (o *Options) form() input.Form {
	if o.Precomputed {
		return input.Dense
	}
	return input.Points
}
