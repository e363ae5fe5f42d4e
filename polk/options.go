package polk

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// pkg is the name with which errors begin.
const pkg = "polk"

// Options configures a learner. The zero value of each field means its default;
// nil means all defaults. What does not use a field refuses it where it is set.
type Options struct {
	// Loss is the loss l: of regression a loss.Scalar that is not of a label; of classification a loss.Multiclass, or of
	// two classes a loss.Scalar of a label ±1. Default: loss.Squared; of classification loss.MulticlassHinge, after
	// whose steps FitClassifier, unless a Rate is given, gives the points the weights of least loss.Squared.
	Loss loss.Loss
	// Kernel is k. Default: that of least leave-one-out error of kernel ridge regression on up to 2000 rows, of a stream
	// on those that it waits for, as far as MaxPoints points carry it; Report.Choice tells what was compared.
	Kernel kernel.Kernel
	// Metric says what linear map of the rows the search for the kernel may learn: weights of
	// the columns or a full matrix, kept where it is better beyond chance.
	// Default: kernel.AutoMetric. A stream learns none.
	Metric kernel.Metric
	// Ridge is the weight lam of the squared norm: the objective is the mean loss plus lam/2·‖f‖². Default: that found
	// with the kernel, over the mean absolute deviation of the targets for a loss in their unit (loss.InTargetUnit), and
	// no less than 1e-5 for losses that steps alone minimise; 1e-6 where Kernel and Rate are given. In a stream
	// without a Horizon it falls as the inverse of the number of rows.
	Ridge float64

	// Horizon is the number of rows to come in a stream, where it is known, for
	// the schedule LinearDecay. Fit knows it.
	Horizon int

	// MaxPoints bounds the number M of points. Beyond it those that cost least are
	// removed whatever the budget. Default: 1000.
	MaxPoints int

	// Passes is the number of passes of Fit over the rows, each in another random
	// order. Default: as many as make 6000 rows, at least 3 and at most 10.
	Passes int
	// Warmup is the number of rows of a stream after which a learner sets from the
	// rows so far what is left open of Kernel, Rate and the intercept. Until then
	// rows wait; if nothing is open, none does. A model that is asked for meanwhile is
	// learned from these rows alone. Default: 1000.
	Warmup int

	// Uncalibrated leaves out what Proba and Interval are made by: the last rows of a stream, 2000 of 20000 rows or more,
	// which Fit then does not learn from, rows left out one by one where equations end a fit, and else one to five
	// other fits.
	Uncalibrated bool
	// MemoryLimit bounds the bytes that a learner may hold. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: the order of rows in Fit, and the rows
	// from which defaults are taken.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of Fit and Learn. In the phase "rows" Iteration counts rows, and
	// Objective is the mean loss of all rows so far, each before it was learned from. "search", "weights", "constant",
	// "leave one out" and "other fits" count what they are done with. Gap is NaN.
	Recorder rkhs.Recorder

	// Paper holds options of the algorithm of the paper.
	Paper
}

// Paper holds the options of the algorithm of the paper, which a fit to data at hand rarely needs. The zero value of each
// field means its default.
type Paper struct {
	// NoIntercept leaves out the constant b of f(x) = b + Σ_j k(d_j, x)·w_j, as the paper does. It has no ridge and is
	// learned with the function; Fit gives a regression the constant of least loss on all rows.
	NoIntercept bool
	// Rate is the first step size eta_0 of the steps of the paper; Rate·Ridge must be below 1. Default: steps in a
	// metric P that damps the directions in which rows vary most, of the size a/(lam_1 + kappa/B); the package page
	// has the formula. A fit by the squared loss then ends with the exact minimum over the span of the points.
	Rate float64
	// Schedule is how the step size goes on. Default: Automatic.
	Schedule Schedule
	// Budget is that of a step relative to what it adds: eps² =
	// Budget·Σ_i ‖w_i‖²·k(x_i, x_i) over the new weights w_i. Between 0 and 1.
	// k(x, x) is that in the metric of the steps. Default: 0.02, with a Rate 0.2.
	Budget float64
	// BudgetConstant, if positive, makes the budget that of the paper with this K:
	// eps = K·eta^1.5, for the schedule Diminishing eps = K·eta² (the paper has
	// K = 1 there).
	BudgetConstant float64
	// Lossless sets the budget to zero: no point is given up but for MaxPoints.
	Lossless bool
	// Batch is the number of rows B that Fit and Learn take at each step. Update
	// takes what it is given. Default: 32, in Fit without a Rate less where that makes less
	// than 500 steps, but at least 4.
	Batch int
}

// settings are Options that were checked, with every default filled in that needs
// no data.
type settings struct {
	Options
	codes bool // a fit of labels ends with the squared loss of their codes
}

// solves reports whether a fit ends with the solution of equations.
func (s *settings) solves() bool { return s.codes || s.Rate == 0 && loss.Quadratic(s.Loss) }

// regression checks options for real targets.
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

// classification checks options for labels.
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

// newSettings checks what is common to all tasks, where no loss means the default.
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
	s.MemoryLimit = cmp.Or(s.MemoryLimit, door.DefaultMemory)
	if s.BudgetConstant == 0 && !s.Lossless {
		s.Budget = cmp.Or(s.Budget, s.defaultBudget())
	}
	return &s, nil
}

// defaultBudget gives up a tenth of the length of a plain step, and less of one that
// learns more from each row.
func (s *settings) defaultBudget() float64 {
	if s.Rate > 0 {
		return 0.2
	}
	return 0.02
}

// defaultRidge is that for targets of the spread 1.
const defaultRidge = 1e-6

// outOfRange bounds step, budget and ridge from above, so that their products are
// far from the end of the range of numbers.
const outOfRange = 1e50

func (s *settings) check() error {
	err := door.Ranges(pkg, []door.Field{
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
		if err := door.Refuse(pkg, "a given Kernel", []door.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric}}); err != nil {
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
		return fmt.Errorf("polk: Budget = %v, BudgetConstant = %v and Lossless = %v set the budget more than once: %w", s.Budget, s.BudgetConstant, s.Lossless, rkhs.ErrOption)
	}
	return nil
}

// forRows completes the settings of a fit on n rows.
func (s *settings) forRows(n int) error {
	const rows, least, most = 6000, 3, 10
	const steps, few, many = 500, 4, 32
	err := door.Refuse(pkg, "Fit", []door.Unused{{Name: "Horizon", Set: s.Horizon > 0}, {Name: "Warmup", Set: s.Warmup > 0}})
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
		return fmt.Errorf("polk: Horizon = 0, want the number of rows over which LinearDecay goes: %w", rkhs.ErrOption)
	}
	if err := door.Refuse(pkg, "a stream", []door.Unused{{Name: "Metric", Set: s.Metric != kernel.AutoMetric}, {Name: "Passes", Set: s.Passes > 0}, {Name: "Uncalibrated", Set: s.Uncalibrated}}); err != nil {
		return err
	}
	s.Metric = kernel.NoMetric
	return door.Refuse(pkg, "a Schedule other than LinearDecay", []door.Unused{{Name: "Horizon", Set: s.Horizon > 0 && s.Schedule != LinearDecay}})
}

// averaged reports whether the model is an average.
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
		d.Fail("the schedule is not chosen")
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
