package polk

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Schedule is how the step size goes on from its first value eta_0, over steps
// counted by t = 0, 1, …
type Schedule uint8

const (
	// Automatic is LinearDecay where the number of rows to come is known, and
	// Averaged where it is not.
	Automatic Schedule = iota
	// LinearDecay falls in proportion to the rows seen, from eta_0 to
	// 0.02·eta_0 at the horizon, and stays there.
	LinearDecay
	// Averaged keeps eta_0. The model is a running average of the functions,
	// f̄ ← f̄ + 4/(t+4)·(f − f̄) after step t (polynomial-decay averaging; Shamir
	// and Zhang, 2013), which shares the dictionary.
	Averaged
	// Constant keeps eta_0, and the model is the last function: the first
	// schedule of the paper (Theorem 2).
	Constant
	// Diminishing is eta_t = eta_0/(1 + lam·eta_0·t): steps that fulfil the
	// conditions of the paper's second schedule (Theorem 1).
	Diminishing
)

// Options configures a learner. The zero value of each field means its default;
// nil means all defaults.
type Options struct {
	// Loss is the loss l. Regression takes a loss.Scalar that is not of a label;
	// default: loss.Squared. Classification takes a loss.Multiclass, or for two
	// classes a loss.Scalar of a label ±1; default: loss.MulticlassHinge.
	Loss loss.Loss
	// Kernel is k. Default: kernel.Gaussian whose Sigma is 0.375 times the median
	// distance of up to 1000 rows, 0.3 times in up to 3 dimensions.
	Kernel kernel.Kernel
	// Lambda is the regularisation lam. Default: 1e-6; for Absolute, Pinball and
	// EpsilonInsensitive divided by the mean absolute deviation of the targets from
	// their median, in whose unit these losses count.
	Lambda float64

	// NoIntercept leaves out the constant of a regression, as the paper does:
	// f(x) = b + Σ_j k(d_j, x)·w_j, where b is the constant of least loss on up to
	// 1000 rows, and is not learned any further. Classifications have none.
	NoIntercept bool

	// Step is the first step size eta_0; Step·Lambda must be below 1. Default:
	//
	//	a/(lam_1 + kappa/B)
	//
	// for a mini-batch of B rows, where lam_1 is the largest eigenvalue of K/n on up
	// to 1000 rows, kappa the mean of k(x, x), and a is 12 for Hinge,
	// MulticlassHinge, Logistic and Softmax, 4 times the mean absolute deviation of
	// the targets from their median for Absolute, Pinball and EpsilonInsensitive,
	// and 1/l.Curvature() for all others. It is at most 0.5/Lambda.
	Step float64
	// Schedule is how the step size goes on. Default: Automatic.
	Schedule Schedule
	// Horizon is the number of rows to come, where it is known; Fit knows it.
	Horizon int

	// Nu is the budget of a step relative to what it adds: eps² =
	// Nu·Σ_i ‖w_i‖²·k(x_i, x_i) over the new weights w_i. Between 0 and 1.
	// Default: 0.2.
	Nu float64
	// K, if positive, makes the budget that of the paper: eps = K·eta^1.5, for the
	// schedule Diminishing eps = K·eta² (the paper has K = 1 there).
	K float64
	// Exact sets the budget to zero: no point is given up but for MaxOrder.
	Exact bool
	// MaxOrder bounds the number M of points. Beyond it those that cost least are
	// removed whatever the budget. Default: 1000.
	MaxOrder int

	// Batch is the number of rows B that Fit and Learn take at each step. Update
	// takes what it is given. Default: 32.
	Batch int
	// Passes is the number of passes of Fit over the rows, each in another random
	// order. Default: as many as make 30000 rows, but at most 50.
	Passes int
	// Warmup is the number of rows after which a Learner sets from the rows so far
	// what is left open of Kernel, Step and the intercept. Until then rows wait; if
	// nothing is open, none does. Default: 100.
	Warmup int

	// MemoryLimit bounds the bytes that a learner may hold. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: the order of rows in Fit, and the rows
	// from which defaults are taken.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of Fit and Learn after each
	// step: Iteration counts rows, Objective is the mean loss of all rows so far,
	// each before it was learned from; Gap is NaN.
	Recorder rkhs.Recorder
}

// settings are Options with every default filled in that needs no data.
type settings struct {
	Options
}

// settings checks the options, where zero for the loss means def.
func (o *Options) settings(def loss.Loss) (*settings, error) {
	var s settings
	if o != nil {
		s.Options = *o
	}
	if s.Loss == nil {
		s.Loss = def
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Kernel = kernel.Clone(s.Kernel)
	s.MaxOrder = cmp.Or(s.MaxOrder, 1000)
	s.Batch = cmp.Or(s.Batch, 32)
	s.Warmup = cmp.Or(s.Warmup, 100)
	s.MemoryLimit = cmp.Or(s.MemoryLimit, 4<<30)
	if s.K == 0 && !s.Exact {
		s.Nu = cmp.Or(s.Nu, 0.2)
	}
	return &s, nil
}

// defaultLambda is that for targets of the spread 1.
const defaultLambda = 1e-6

// outOfRange bounds step, budget and regularisation from above, so that their
// products are far from the end of the range of numbers.
const outOfRange = 1e50

func (s *settings) check() error {
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"Lambda", s.Lambda, s.Lambda >= 0 && s.Lambda < outOfRange},
		{"Step", s.Step, s.Step >= 0 && s.Step < outOfRange},
		{"Schedule", float64(s.Schedule), s.Schedule <= Diminishing},
		{"Horizon", float64(s.Horizon), s.Horizon >= 0},
		{"Nu", s.Nu, s.Nu >= 0 && s.Nu < 1},
		{"K", s.K, s.K >= 0 && s.K < outOfRange},
		{"MaxOrder", float64(s.MaxOrder), s.MaxOrder >= 0},
		{"Batch", float64(s.Batch), s.Batch >= 0},
		{"Passes", float64(s.Passes), s.Passes >= 0},
		{"Warmup", float64(s.Warmup), s.Warmup >= 0},
		{"MemoryLimit", float64(s.MemoryLimit), s.MemoryLimit >= 0},
		{"Workers", float64(s.Workers), s.Workers >= 0},
	} {
		if !f.ok {
			return fmt.Errorf("polk: %s = %v is out of range: %w", f.name, f.value, rkhs.ErrOption)
		}
	}
	return s.checkTogether()
}

func (s *settings) checkTogether() error {
	if err := loss.Check(s.Loss); err != nil {
		return fmt.Errorf("polk: Loss: %w", err)
	}
	if lam := cmp.Or(s.Lambda, defaultLambda); s.Step*lam >= 1 {
		return fmt.Errorf("polk: Step·Lambda = %v·%v = %v, want less than 1: %w", s.Step, lam, s.Step*lam, rkhs.ErrOption)
	}
	given := 0
	for _, is := range []bool{s.Nu > 0, s.K > 0, s.Exact} {
		if is {
			given++
		}
	}
	if given > 1 {
		return fmt.Errorf("polk: Nu = %v, K = %v and Exact = %v set the budget more than once: %w", s.Nu, s.K, s.Exact, rkhs.ErrOption)
	}
	return nil
}

// resolve settles the schedule once it is known whether there is a horizon.
func (s *settings) resolve() error {
	switch {
	case s.Schedule == Automatic && s.Horizon > 0:
		s.Schedule = LinearDecay
	case s.Schedule == Automatic:
		s.Schedule = Averaged
	case s.Schedule == LinearDecay && s.Horizon == 0:
		return fmt.Errorf("polk: Horizon = 0, want the number of rows over which LinearDecay goes: %w", rkhs.ErrOption)
	}
	return nil
}

// passes returns the number of passes over n rows.
func (s *settings) passes(n int) int {
	const rows, most = 30000, 50
	if s.Passes > 0 {
		return s.Passes
	}
	return min((rows+n-1)/n, most)
}

// averaged reports whether the model is an average.
func (s *settings) averaged() bool { return s.Schedule == Averaged }
