package polk

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// pkg is the prefix of errors of this package.
const pkg = "polk"

// Options configures a learner. Zero fields and nil Options select the defaults. An option
// without effect in the selected mode is an error.
type Options struct {
	// Loss is l: a loss.Scalar of real targets for regression; for labels a loss.Multiclass, or
	// a binary loss.Scalar. Default: loss.Squared; loss.MulticlassHinge for labels, after which
	// FitClassifier without a Rate solves for the weights of loss.Squared.
	Loss loss.Loss
	// Kernel is k. Default: the kernel with the lowest leave-one-out error of kernel ridge
	// regression on up to 2000 rows (Warmup rows of a stream); see Report.Search.
	Kernel kernel.Kernel
	// Metric is the linear map of the rows that the kernel search may learn. It keeps a map that
	// improves the error significantly. Default: kernel.AutoMetric. A stream learns no map.
	Metric kernel.Metric
	// Ridge is the weight lam of the squared norm in the objective, mean loss + lam/2·‖f‖².
	// Default: found with the kernel; 1e-6 if Kernel and Rate are given. In a stream without a
	// Horizon it decreases as 1/rows.
	Ridge float64

	// Horizon is the number of rows of a stream, for the schedule LinearDecay. Fit knows it.
	// Default: unknown.
	Horizon int

	// MaxPoints bounds the number M of points. Above it the cheapest points are removed
	// regardless of the budget. Default: 1000.
	MaxPoints int

	// Passes is the number of passes of Fit over the rows, each in a random order. Default:
	// enough for 6000 rows, between 3 and 10.
	Passes int
	// Warmup is the number of rows of a stream that wait until the learner sets Kernel, Rate and
	// intercept. No rows wait if these are given. Default: 1000.
	Warmup int

	// NoCalibration disables Proba and Interval, and saves their cost: held-out rows (2000 of
	// 20000 or more), leave-one-out predictions, or one to five refits. Default: false.
	NoCalibration bool
	// MemoryLimit bounds the memory of a learner in bytes. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the order of rows in Fit and the samples that set the defaults.
	Seed uint64
	// Workers bounds the goroutines. It does not affect results. Default: GOMAXPROCS.
	Workers int
	// Recorder receives the progress of Fit and Learn. In the phase "rows", Iteration counts
	// rows and Objective is the mean loss before each update. Gap is NaN. Default: none.
	Recorder rkhs.Recorder

	// Paper holds the options of the algorithm of the paper.
	Paper
}

// Paper holds the options of the algorithm of the paper. Zero fields select the defaults.
type Paper struct {
	// NoIntercept removes the constant b of f(x) = b + Σ_j k(d_j, x)·w_j, as in the paper. The
	// constant has no ridge. Fit sets it to the minimum of a regression loss. Default: false.
	NoIntercept bool
	// Rate is the first step size eta_0 of plain steps; Rate·Ridge must be below 1. Default:
	// steps in a metric, of size a/(lam_1 + kappa/B); see "Defaults" on the package page.
	Rate float64
	// Schedule determines the later step sizes. Default: Automatic.
	Schedule Schedule
	// Budget is eps² of a step relative to Σ_i ‖w_i‖²·k(x_i, x_i) over its new weights w_i, with
	// k in the metric of the steps. Between 0 and 1. Default: 0.02; with a Rate 0.2.
	Budget float64
	// BudgetConstant is K of the paper and replaces Budget: eps = K·eta^1.5, or K·eta² with the
	// schedule Diminishing (K = 1 in the paper). Default: unused.
	BudgetConstant float64
	// Lossless sets the budget to zero: points are removed for MaxPoints only. Default: false.
	Lossless bool
	// Batch is the number of rows B per step of Fit and Learn. Update uses its own rows, up to 256.
	// Default: 32; Fit without a Rate uses fewer, at least 4, to reach 500 steps.
	Batch int
}

// settings are validated Options with all defaults that need no data.
type settings struct {
	Options
	codes bool // a fit of labels ends with the squared loss of ±1 codes
}

// solves reports whether a fit ends with the solution of normal equations.
func (s *settings) solves() bool { return s.codes || s.Rate == 0 && loss.Quadratic(s.Loss) }

// regression validates options for real targets.
func regression(o *Options) (*settings, error) {
	s, err := newSettings(o, loss.Squared{})
	if err != nil {
		return nil, err
	}
	if _, ok := s.Loss.(loss.Scalar); !ok || loss.Margin(s.Loss) {
		return nil, fmt.Errorf("polk: Loss = %v is not a loss of a real target: %w", s.Loss, rkhs.ErrOption)
	}
	return s, nil
}

// classification validates options for labels.
func classification(o *Options) (*settings, error) {
	s, err := newSettings(o, loss.MulticlassHinge{})
	if err != nil {
		return nil, err
	}
	if !classifies(s.Loss) {
		return nil, fmt.Errorf("polk: Loss = %v is not a loss of a label: %w", s.Loss, rkhs.ErrOption)
	}
	return s, nil
}

// classifies reports whether a loss has labels as targets.
func classifies(l loss.Loss) bool {
	_, multi := l.(loss.Multiclass)
	return multi || loss.Margin(l)
}

// newSettings validates the options of any task, given its default loss.
func newSettings(o *Options, byDefault loss.Loss) (*settings, error) {
	var s settings
	if o != nil {
		s.Options = *o
	}
	if s.Loss == nil {
		s.Loss = byDefault
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Kernel = kernel.Clone(s.Kernel)
	s.MaxPoints = cmp.Or(s.MaxPoints, 1000)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, input.DefaultMemory)
	if s.Budget == 0 && s.BudgetConstant == 0 && !s.Lossless {
		s.Budget = 0.02
		if s.Rate > 0 {
			s.Budget = 0.2
		}
	}
	return &s, nil
}

// defaultRidge is the ridge for targets of spread 1.
const defaultRidge = 1e-6

// outOfRange bounds step, budget and ridge, so that their products cannot overflow.
const outOfRange = 1e50

func (s *settings) check() error {
	err := input.Ranges(pkg, []input.Field{
		{Name: "Metric", Value: float64(s.Metric), OK: s.Metric.Valid()},
		{Name: "Ridge", Value: s.Ridge, OK: s.Ridge >= 0 && s.Ridge < outOfRange},
		{Name: "Rate", Value: s.Rate, OK: s.Rate >= 0 && s.Rate < outOfRange},
		{Name: "Schedule", Value: float64(s.Schedule), OK: s.Schedule <= Diminishing},
		{Name: "Horizon", Value: float64(s.Horizon), OK: s.Horizon >= 0},
		{Name: "Budget", Value: s.Budget, OK: s.Budget >= 0 && s.Budget < 1},
		{Name: "BudgetConstant", Value: s.BudgetConstant, OK: s.BudgetConstant >= 0 && s.BudgetConstant < outOfRange},
		{Name: "MaxPoints", Value: float64(s.MaxPoints), OK: s.MaxPoints >= 0},
		{Name: "Batch", Value: float64(s.Batch), OK: s.Batch >= 0},
		{Name: "Passes", Value: float64(s.Passes), OK: s.Passes >= 0},
		{Name: "Warmup", Value: float64(s.Warmup), OK: s.Warmup >= 0},
		{Name: "MemoryLimit", Value: float64(s.MemoryLimit), OK: s.MemoryLimit >= 0},
		{Name: "Workers", Value: float64(s.Workers), OK: s.Workers >= 0},
	})
	if err != nil {
		return err
	}
	if s.Kernel != nil {
		unused := []input.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric}}
		if err := input.Refuse(pkg, "a given Kernel", unused); err != nil {
			return err
		}
	}
	if err := loss.Check(s.Loss); err != nil {
		return fmt.Errorf("polk: Loss: %w", err)
	}
	if ridge := cmp.Or(s.Ridge, defaultRidge); s.Rate*ridge >= 1 {
		return fmt.Errorf("polk: Rate·Ridge = %v·%v = %v, want less than 1: %w", s.Rate, ridge, s.Rate*ridge, rkhs.ErrOption)
	}
	if relative := s.Budget > 0; relative && s.BudgetConstant > 0 || s.Lossless && (relative || s.BudgetConstant > 0) {
		return fmt.Errorf("polk: Budget = %v, BudgetConstant = %v and Lossless = %v set the budget more than once: %w",
			s.Budget, s.BudgetConstant, s.Lossless, rkhs.ErrOption)
	}
	return nil
}

// forRows completes the settings of a fit on n rows.
func (s *settings) forRows(n int) error {
	const rows, least, most = 6000, 3, 10
	const steps, few, many = 500, 4, 32
	err := input.Refuse(pkg, "Fit", []input.Unused{{Name: "Horizon", Set: s.Horizon > 0}, {Name: "Warmup", Set: s.Warmup > 0}})
	if s.Passes == 0 {
		s.Passes = min(max((rows+n-1)/n, least), most)
	}
	if s.Batch == 0 && s.Rate == 0 {
		s.Batch = min(max(n*s.Passes/steps, few), many)
	}
	s.Batch = cmp.Or(s.Batch, many)
	s.Horizon = n * s.Passes
	if s.Schedule == Automatic {
		s.Schedule = LinearDecay
	}
	return err
}

// forStream completes the settings of a stream.
func (s *settings) forStream() error {
	if s.Schedule == Automatic {
		s.Schedule = Averaged
		if s.Horizon > 0 {
			s.Schedule = LinearDecay
		}
	}
	s.Warmup = cmp.Or(s.Warmup, 1000)
	s.Batch = cmp.Or(s.Batch, 32)
	if s.Schedule == LinearDecay && s.Horizon == 0 {
		return fmt.Errorf("polk: Horizon = 0, LinearDecay needs the number of rows: %w", rkhs.ErrOption)
	}
	unused := []input.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric},
		{Name: "Passes", Set: s.Passes > 0}, {Name: "NoCalibration", Set: s.NoCalibration}}
	if err := input.Refuse(pkg, "a stream", unused); err != nil {
		return err
	}
	s.Metric = kernel.NoMetric
	unused = []input.Unused{{Name: "Horizon", Set: s.Horizon > 0 && s.Schedule != LinearDecay}}
	return input.Refuse(pkg, "a Schedule other than LinearDecay", unused)
}

// averaged reports whether the model is a running average.
func (s *settings) averaged() bool { return s.Schedule == Averaged }

func (s *settings) encode(e *codec.Encoder) error {
	if err := e.Nested(loss.Marshal(s.Loss)); err != nil {
		return err
	}
	e.Bool(s.Kernel != nil)
	if s.Kernel != nil {
		if err := e.Nested(kernel.Marshal(s.Kernel)); err != nil {
			return err
		}
	}
	for _, v := range []float64{s.Ridge, s.Rate, s.Budget, s.BudgetConstant} {
		e.Float64(v)
	}
	for _, v := range []int{int(s.Schedule), s.Horizon, s.MaxPoints, s.Batch, s.Warmup, int(s.MemoryLimit)} {
		e.Int(v)
	}
	e.Bool(s.Lossless)
	e.Bool(s.NoIntercept)
	e.Uint64(s.Seed)
	return nil
}

func decodeSettings(d *codec.Decoder, check func(*Options) (*settings, error)) *settings {
	o := Options{Loss: codec.Nested(d, loss.Unmarshal)}
	if d.Bool() {
		o.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	o.Ridge, o.Rate, o.Budget, o.BudgetConstant = d.Finite(), d.Finite(), d.Finite(), d.Finite()
	if o.Schedule = codec.Enum(d, Diminishing); o.Schedule == Automatic {
		d.Fail("the schedule is automatic")
	}
	o.Horizon, o.MaxPoints, o.Batch, o.Warmup = d.Int(), d.Int(), d.Int(), d.Int()
	o.MemoryLimit, o.Lossless, o.NoIntercept, o.Seed = int64(d.Int()), d.Bool(), d.Bool(), d.Uint64()
	if d.Err() != nil {
		return new(settings)
	}
	s, err := check(&o)
	if err == nil {
		err = s.forStream()
	}
	if err != nil {
		d.Fail("%v", err)
	}
	return s
}
