package doublysgd

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// TestNoiseFactor compares with tau·(1 − tau)/(s·φ(z)), φ(z) being the normal density at
// the quantile, and twice that of the median for absolute values.
func TestNoiseFactor(t *testing.T) {
	for _, s := range []float64{0.01, 0.5, 3} {
		for l, want := range map[loss.Scalar]float64{
			loss.Squared{}:         1,
			loss.Huber{Delta: 100}: 1,
			loss.Absolute{}:        0.5 / 0.398942 / s,
			loss.Pinball{Tau: 0.9}: 0.09 / 0.175498 / s,
			loss.Pinball{Tau: 0.1}: 0.09 / 0.175498 / s,
		} {
			if got := noiseFactor(l, s); math.Abs(got-want) > 0.03*want {
				t.Errorf("%v with noise %v: %v, want %v", l, s, got, want)
			}
		}
	}
	if got := noiseFactor(loss.Squared{}, 0); got != 1 {
		t.Errorf("without noise: %v", got)
	}
}

func TestLabelFactor(t *testing.T) {
	clear, noisy := kernel.Trial{Rows: 1000}, kernel.Trial{Rows: 1000, Wrong: 0.5}
	if got := labelFactor(loss.Logistic{}, noisy); got != 0.25 {
		t.Errorf("logistic loss of labels at random: %v", got)
	}
	if got := labelFactor(loss.SquaredHinge{}, clear); got != 1 {
		t.Errorf("squared hinge: %v", got)
	}
	if got := labelFactor(loss.Hinge{}, clear); got < 10 || got > 100 {
		t.Errorf("hinge of clear labels: %v", got)
	}
}

// TestStoppedVisit stops visits after each of the questions whether to: scores and
// coefficients stay those of one function.
func TestStoppedVisit(t *testing.T) {
	s := rng.New(1, "doublysgd stopped", 0)
	x, y := mat.NewDense(5000, 3, nil), mat.NewDense(5000, 1, nil)
	for i := range 5000 {
		x.SetRow(i, []float64{s.NormFloat64(), s.NormFloat64(), s.NormFloat64()})
		y.Set(i, 0, math.Sin(2*x.At(i, 0))+0.1*s.NormFloat64())
	}
	for after := range 25 {
		s, err := (&Options{Features: 128, Columns: 64}).settings(0, false)
		if err != nil {
			t.Fatal(err)
		}
		k, err := newTask(s, x.RawMatrix(), y.RawMatrix(), nil)
		if err != nil {
			t.Fatal(err)
		}
		k.monitor = monitor.New(context.Background(), nil, pkg)
		defer k.monitor.Close()
		order, train := (&run{passes: passes{task: k}}).split()
		v, err := newRevisit(k, hyperparameters{kernel: k.kernel, ridge: 1e-4}, order, train, 64)
		if err != nil {
			t.Fatal(err)
		}
		v.function.Grow(2)
		v.visit(0)
		asked := 0
		v.stopped = func() bool { asked++; return asked > after }
		v.visit(1)
		scores := mat.NewDense(v.f.Rows, 1, append([]float64(nil), v.f.Data...))
		v.stopped = func() bool { return false }
		v.refresh()
		var d mat.Dense
		d.Sub(scores, mat.NewDense(v.f.Rows, 1, v.f.Data))
		if e := mat.Norm(&d, math.Inf(1)); !(e < 1e-9) {
			t.Errorf("stopped after %d questions: scores are off by %v", after, e)
		}
	}
}
