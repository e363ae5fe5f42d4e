package polk_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Every function with options returns an error for options out of range, with name and value.
func TestBadOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x, y := mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(2, 1, []float64{1, 2})
	for _, c := range []struct {
		opts  polk.Options
		names string
	}{
		{polk.Options{Metric: 9}, "Metric = 9"},
		{polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.NoMetric}, "a given Kernel does not use Metric"},
		{polk.Options{Ridge: -1}, "Ridge = -1"},
		{polk.Options{Ridge: nan}, "Ridge = NaN"},
		{polk.Options{Ridge: inf}, "Ridge = +Inf"},
		{polk.Options{Paper: polk.Paper{Rate: -1}}, "Rate = -1"},
		{polk.Options{Paper: polk.Paper{Rate: nan}}, "Rate = NaN"},
		{polk.Options{Ridge: 0.1, Paper: polk.Paper{Rate: 10}}, "Rate·Ridge = 10·0.1 = 1"},
		{polk.Options{Paper: polk.Paper{Rate: 2e6}}, "Rate·Ridge"},
		{polk.Options{Paper: polk.Paper{Schedule: 9}}, "Schedule = 9"},
		{polk.Options{Horizon: -1}, "Horizon = -1"},
		{polk.Options{Paper: polk.Paper{Budget: 1}}, "Budget = 1"},
		{polk.Options{Paper: polk.Paper{Budget: -0.1}}, "Budget = -0.1"},
		{polk.Options{Paper: polk.Paper{Budget: nan}}, "Budget = NaN"},
		{polk.Options{Paper: polk.Paper{BudgetConstant: -1}}, "BudgetConstant = -1"},
		{polk.Options{Paper: polk.Paper{BudgetConstant: inf}}, "BudgetConstant = +Inf"},
		{polk.Options{Paper: polk.Paper{BudgetConstant: 1, Budget: 0.1}}, "more than once"},
		{polk.Options{Paper: polk.Paper{BudgetConstant: 1, Lossless: true}}, "more than once"},
		{polk.Options{MaxPoints: -1}, "MaxPoints = -1"},
		{polk.Options{Paper: polk.Paper{Batch: -1}}, "Batch = -1"},
		{polk.Options{Passes: -1}, "Passes = -1"},
		{polk.Options{Warmup: -1}, "Warmup = -1"},
		{polk.Options{MemoryLimit: -1}, "MemoryLimit = -1"},
		{polk.Options{Workers: -1}, "Workers = -1"},
		{polk.Options{Loss: loss.Huber{}}, "Huber"},
		{polk.Options{Loss: loss.Pinball{Tau: 2}}, "Pinball"},
	} {
		_, newErr := polk.NewLearner(&c.opts)
		_, newClassErr := polk.NewClassLearner(nil, &c.opts)
		_, fitErr := polk.Fit(context.Background(), x, y, &c.opts)
		_, fitClassErr := polk.FitClassifier(context.Background(), x, y, &c.opts)
		for _, err := range []error{newErr, newClassErr, fitErr, fitClassErr} {
			if !errors.Is(err, rkhs.ErrOption) || !strings.HasPrefix(err.Error(), "polk: ") || !strings.Contains(err.Error(), c.names) {
				t.Errorf("%+v: error %v, want one that names %q", c.opts, err, c.names)
			}
		}
	}
}

// Regression rejects classification losses, and classification rejects regression losses.
func TestLossOfTheOtherKind(t *testing.T) {
	for _, l := range []loss.Loss{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}, loss.Softmax{}, loss.MulticlassHinge{}} {
		if _, err := polk.NewLearner(&polk.Options{Loss: l}); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("Learner with %v: error %v", l, err)
		}
		if _, err := polk.NewClassLearner(nil, &polk.Options{Loss: l}); err != nil {
			t.Errorf("ClassLearner with %v: error %v", l, err)
		}
	}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{Delta: 1}, loss.EpsilonInsensitive{}, loss.Absolute{}, loss.Pinball{Tau: 0.3}} {
		if _, err := polk.NewLearner(&polk.Options{Loss: l}); err != nil {
			t.Errorf("Learner with %v: error %v", l, err)
		}
		if _, err := polk.NewClassLearner(nil, &polk.Options{Loss: l}); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("ClassLearner with %v: error %v", l, err)
		}
	}
}

// The error for an unused option names it.
func TestUnusedOptions(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(2, 1, []float64{1, 2})
	fit := func(o polk.Options) error { _, err := polk.Fit(context.Background(), x, y, &o); return err }
	stream := func(o polk.Options) error { _, err := polk.NewLearner(&o); return err }
	for _, c := range []struct {
		err   error
		names string
	}{
		{fit(polk.Options{Horizon: 10}), "Fit does not use Horizon"},
		{fit(polk.Options{Warmup: 10}), "Fit does not use Warmup"},
		{stream(polk.Options{Passes: 2}), "a stream does not use Passes"},
		{stream(polk.Options{Metric: kernel.FullMetric}), "a stream does not use Metric"},
		{stream(polk.Options{Horizon: 10, Paper: polk.Paper{Schedule: polk.Constant}}), "a Schedule other than LinearDecay does not use Horizon"},
	} {
		if !errors.Is(c.err, rkhs.ErrOption) || !strings.HasPrefix(c.err.Error(), "polk: "+c.names) {
			t.Errorf("error %v, want one that says %q", c.err, c.names)
		}
	}
}

// LinearDecay requires the number of rows.
func TestLinearDecayNeedsHorizon(t *testing.T) {
	_, err := polk.NewLearner(&polk.Options{Paper: polk.Paper{Schedule: polk.LinearDecay}})
	if !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), "Horizon") {
		t.Errorf("error %v", err)
	}
	if _, err := polk.NewLearner(&polk.Options{Horizon: 10, Paper: polk.Paper{Schedule: polk.LinearDecay}}); err != nil {
		t.Error(err)
	}
}

// Reported step sizes and budgets follow the schedules.
func TestSchedules(t *testing.T) {
	const eta, lam, k = 0.5, 0.01, 0.1
	for _, c := range []struct {
		schedule polk.Schedule
		horizon  int
		rate     func(step int) float64
		budget   func(rate float64) float64
	}{
		{polk.Constant, 0, func(int) float64 { return eta }, func(r float64) float64 { return k * math.Pow(r, 1.5) }},
		{polk.Averaged, 0, func(int) float64 { return eta }, func(r float64) float64 { return k * math.Pow(r, 1.5) }},
		{polk.Diminishing, 0, func(t int) float64 { return eta / (1 + lam*eta*float64(t)) }, func(r float64) float64 { return k * r * r }},
		{polk.LinearDecay, 20, func(t int) float64 { return eta * max(0.02, 1-0.98*float64(2*t)/20) }, func(r float64) float64 { return k * math.Pow(r, 1.5) }},
	} {
		l := newLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: lam, Horizon: c.horizon, Paper: polk.Paper{Rate: eta, BudgetConstant: k, Schedule: c.schedule, NoIntercept: true}})
		for i := range 15 {
			s := update(t, l, mat.NewDense(2, 1, []float64{float64(i), -float64(i)}), mat.NewDense(2, 1, []float64{1, 2}))
			rate := c.rate(i)
			if math.Abs(s.Rate-rate) > 1e-15 || math.Abs(s.Budget-c.budget(rate)) > 1e-15 {
				t.Fatalf("schedule %d, step %d: rate %v and budget %v, want %v and %v", c.schedule, i, s.Rate, s.Budget, rate, c.budget(rate))
			}
		}
	}
}

// The relative budget is in units of the step, for any scale of the kernel.
func TestRelativeBudget(t *testing.T) {
	for _, scale := range []float64{1e-6, 1, 1e6} {
		l := newLearner(t, polk.Options{Kernel: kernel.Scale{By: scale, Of: kernel.Gaussian{Sigma: 0.01}}, Ridge: 1e-9 * scale, Paper: polk.Paper{Rate: 0.5 / scale, Budget: 0.3, NoIntercept: true}})
		s := update(t, l, mat.NewDense(2, 1, []float64{0, 5}), mat.NewDense(2, 1, []float64{1, 2}))
		// For two orthogonal points ‖step‖² is the sum of their squared norms.
		if math.Abs(s.Budget/s.Norm-math.Sqrt(0.3)) > 1e-12 || s.Pruned != 1 || math.Abs(s.Error/s.Norm-math.Sqrt(0.2)) > 1e-7 {
			t.Errorf("scale %g: step %+v", scale, s)
		}
	}
}
