package loss_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
)

// TestProperties has a table of the properties that learners query for the losses of this package.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		l                         loss.Loss
		kinked, quadratic, margin bool
		step, rate                float64
		unit                      bool
	}{
		{loss.Squared{}, false, true, false, 1, 1, false},
		{loss.Huber{Delta: 3}, false, false, false, 1, 1, false},
		{loss.EpsilonInsensitive{Epsilon: 0.1}, true, false, false, 1, 4, true},
		{loss.Absolute{}, true, false, false, 1, 4, true},
		{loss.Pinball{Tau: 0.2}, true, false, false, 1, 4, true},
		{loss.Hinge{}, true, false, true, 1, 12, false},
		{loss.SquaredHinge{}, false, false, true, 1, 1, false},
		{loss.Logistic{}, false, false, true, 0.25, 12, false},
		{loss.Softmax{}, false, false, false, 0.5, 12, false},
		{loss.MulticlassHinge{}, true, false, false, 1, 12, false},
		{barrier{price: 4}, false, false, false, 4, 0.25, false},
		{scaled{3}, true, false, false, 1, 4, true},
	} {
		want := fmt.Sprint(c.kinked, c.quadratic, c.margin, c.step, c.rate, c.unit)
		got := fmt.Sprint(loss.Kinked(c.l), loss.Quadratic(c.l), loss.Margin(c.l), loss.StepCurvature(c.l), loss.Rate(c.l), loss.InTargetUnit(c.l))
		if got != want {
			t.Errorf("%v: kinked, quadratic, margin, step, rate, unit of the targets: %s, want %s", c.l, got, want)
		}
	}
}

func TestProbable(t *testing.T) {
	for _, l := range all() {
		_, two := l.(loss.Probable)
		_, many := l.(loss.MultiProbable)
		if two != (l == loss.Logistic{}) || many != (l == loss.Softmax{}) {
			t.Errorf("%v: Probable %v, MultiProbable %v", l, two, many)
		}
	}
}

// TestConstant compares with known constants. CheckLoss compares with a grid.
func TestConstant(t *testing.T) {
	y := []float64{4, 1, 2, 100, 3}
	for _, c := range []struct {
		l    loss.Scalar
		want float64
	}{
		{loss.Squared{}, 22},
		{loss.Absolute{}, 3},
		{loss.Pinball{Tau: 0.1}, 1},
		{loss.Pinball{Tau: 0.9}, 100},
		{loss.Huber{Delta: 1}, 3},
		{loss.EpsilonInsensitive{Epsilon: 1}, 3},
		{barrier{price: 4}, 100},
		{scaled{3}, 3},
		{halves{}, 22},
	} {
		if got := loss.Constant(c.l, y); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: the constant is %v, want %v", c.l, got, c.want)
		}
	}
	labels := []float64{1, -1, 1, -1, 1}
	if got, want := loss.Constant(loss.Logistic{}, labels), math.Log(3./2); math.Abs(got-want) > 1e-12 {
		t.Errorf("of labels the logistic constant is %v, want the log of the odds %v", got, want)
	}
}

// halves is Squared without the method Constant.
type halves struct{}

func (halves) Value(f, y float64) float64      { return loss.Squared{}.Value(f, y) }
func (halves) Derivative(f, y float64) float64 { return loss.Squared{}.Derivative(f, y) }
func (halves) Curvature() float64              { return 1 }
func (halves) String() string                  { return "halves{}" }

// TestConstantOfLargeTargets does not overflow.
func TestConstantOfLargeTargets(t *testing.T) {
	y := []float64{-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}
	for _, l := range []loss.Scalar{loss.Squared{}, loss.Absolute{}, scaled{3}} {
		if c := loss.Constant(l, y); c-c != 0 {
			t.Errorf("%v: the constant is %v", l, c)
		}
	}
}

// shifted has its minimum at f = y + by, or no minimum.
type shifted struct{ by float64 }

func (s shifted) Value(f, y float64) float64 { return (f - y - s.by) * (f - y - s.by) / 2 }

func (s shifted) Derivative(f, y float64) float64 { return max(-1, min(1, f-y-s.by)) }

func (shifted) Curvature() float64 { return 1 }

func (s shifted) String() string { return fmt.Sprintf("shifted{by: %v}", s.by) }

// TestConstantOutsideTheTargets has the minimum outside of them.
func TestConstantOutsideTheTargets(t *testing.T) {
	for _, by := range []float64{-1e6, -3, 0, 0.5, 2e9} {
		for _, y := range [][]float64{{2}, {1, 2, 3}, {-5, -5}} {
			if got, want := loss.Constant(shifted{by}, y), y[len(y)/2]+by; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("targets %v: %v, want %v", y, got, want)
			}
		}
	}
	if got := loss.Constant(shifted{math.Inf(1)}, []float64{1, 2}); got != 2 {
		t.Errorf("a loss that falls without end has the constant %v, want the largest target", got)
	}
}

// TestEmbeddedNil: a struct that embeds a nil pointer or no loss is an error.
func TestEmbeddedNil(t *testing.T) {
	for _, l := range []loss.Loss{struct{ *loss.Pinball }{}, struct{ *loss.Squared }{}, &struct{ loss.Scalar }{}, struct{ loss.Multiclass }{}} {
		if err := loss.Check(l); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%T: %v", l, err)
		}
		if _, err := loss.Marshal(l); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("Marshal of %T: %v", l, err)
		}
	}
}
