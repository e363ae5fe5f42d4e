package revisit_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// TestNoiseFactor compares with tau·(1 − tau)/(s·φ(z)), where φ(z) is the normal density at the
// quantile. The factor for absolute values is twice the factor for the median.
func TestNoiseFactor(t *testing.T) {
	for _, s := range []float64{0.01, 0.5, 3} {
		for l, want := range map[loss.Scalar]float64{
			loss.Squared{}:         1,
			loss.Huber{Delta: 100}: 1,
			loss.Absolute{}:        0.5 / 0.398942 / s,
			loss.Pinball{Tau: 0.9}: 0.09 / 0.175498 / s,
			loss.Pinball{Tau: 0.1}: 0.09 / 0.175498 / s,
		} {
			if got := revisit.NoiseFactor(l, s); math.Abs(got-want) > 0.03*want {
				t.Errorf("%v with noise %v: %v, want %v", l, s, got, want)
			}
		}
	}
	if got := revisit.NoiseFactor(loss.Squared{}, 0); got != 1 {
		t.Errorf("without noise: %v", got)
	}
}

func TestLabelFactor(t *testing.T) {
	clear, noisy := kernel.Trial{Rows: 1000}, kernel.Trial{Rows: 1000, Wrong: 0.5}
	if got := revisit.LabelFactor(loss.Logistic{}, noisy); got != 0.25 {
		t.Errorf("logistic loss of labels at random: %v", got)
	}
	if got := revisit.LabelFactor(loss.SquaredHinge{}, clear); got != 1 {
		t.Errorf("squared hinge: %v", got)
	}
	if got := revisit.LabelFactor(loss.Hinge{}, clear); got < 10 || got > 100 {
		t.Errorf("hinge of clear labels: %v", got)
	}
}
