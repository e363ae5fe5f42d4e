package testutil

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/loss"
)

// expectile is a user-defined loss: Squared times 2·Tau for targets above the score, and times 2·(1 −
// Tau) for targets below.
type expectile struct {
	fault
	Tau float64
}

func init() {
	loss.Register("test/expectile", func(data []byte) (expectile, error) {
		if len(data) != 8 {
			return expectile{}, errors.New("not eight bytes")
		}
		return expectile{Tau: math.Float64frombits(binary.LittleEndian.Uint64(data))}, nil
	})
}

func (e expectile) weight(f, y float64) float64 {
	if f < y {
		return 2 * e.Tau
	}
	return 2 * (1 - e.Tau)
}

func (e expectile) Value(f, y float64) float64 {
	if e.fault == "not convex" {
		return 1 - math.Exp(-(f-y)*(f-y)/2)
	}
	return e.weight(f, y) * (f - y) * (f - y) / 2
}

func (e expectile) Derivative(f, y float64) float64 {
	switch e.fault {
	case "not convex":
		return (f - y) * math.Exp(-(f-y)*(f-y)/2)
	case "derivative a little off":
		return e.weight(f, y)*(f-y) + 1e-6
	case "derivative of another":
		return f - y
	}
	return e.weight(f, y) * (f - y)
}

func (e expectile) Curvature() float64 {
	switch e.fault {
	case "a mean curvature":
		return 1
	case "a kink that is none":
		return math.Inf(1)
	case "no curvature":
		return 0
	}
	return 2 * max(e.Tau, 1-e.Tau)
}

func (e expectile) Quadratic() bool { return e.fault == "quadratic on either side" }

func (e expectile) String() string {
	if e.fault == "prints no expression" {
		return fmt.Sprintf("expectile %v", e.Tau)
	}
	return fmt.Sprintf("expectile{Tau: %v}", e.Tau)
}

func (e expectile) MarshalBinary() ([]byte, error) {
	tau := e.Tau
	if e.fault == "saved in single precision" {
		tau = float64(float32(tau))
	}
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(tau)), nil
}

// The types below have faults of methods that expectile must not have.

type unsaidKink struct{ loss.Absolute }

func (unsaidKink) Curvature() float64 { return 1 }

type constantOfAnother struct{ loss.Absolute }

func (constantOfAnother) Constant(sorted []float64) float64 {
	return sorted[0]/2 + sorted[len(sorted)-1]/2
}

type constantOutside struct{ loss.Squared }

func (constantOutside) Constant(sorted []float64) float64 { return sorted[len(sorted)-1] + 1 }

type oneSided struct{ loss.Hinge }

func (oneSided) Value(f, y float64) float64 { return max(0, 0.5*y+0.5-y*f) }

type contrary struct{ loss.Logistic }

func (contrary) Derivative(f, y float64) float64 { return -loss.Logistic{}.Derivative(f, y) }

func (contrary) Probability(f float64) float64 { return loss.Logistic{}.Probability(-f) }

type noRate struct{ loss.Squared }

func (noRate) Rate() float64 { return 0 }

type rateOfPointers struct{ loss.Squared }

func (*rateOfPointers) Rate() float64 { return 2 }

type overwrites struct{ loss.Softmax }

func (overwrites) Gradient(dst, f []float64, class int) {
	clear(dst)
	loss.Softmax{}.Gradient(dst, f, class)
}

type forgiving struct{ loss.MulticlassHinge }

func (forgiving) Gradient(dst, f []float64, class int) {
	if len(dst) == len(f) && class >= 0 && class < len(f) {
		loss.MulticlassHinge{}.Gradient(dst, f, class)
	}
}

type unequal struct{ loss.Softmax }

func (unequal) Probabilities(dst, f []float64) {
	loss.Softmax{}.Probabilities(dst, f)
	dst[0] /= 2
}

var lossFindings = []struct {
	l              loss.Loss
	check, message string
}{
	{expectile{"no curvature", 0.8}, "valid", "Curvature must be positive"},
	{expectile{"not convex", 0.8}, "subgradient", "the tangent"},
	{expectile{"derivative a little off", 0.8}, "subgradient", "the tangent"},
	{expectile{"derivative of another", 0.8}, "subgradient", "the tangent"},
	{expectile{"a mean curvature", 0.8}, "curvature", "more than the curvature 1 allows"},
	{expectile{"a kink that is none", 0.8}, "curvature", "there is no kink"},
	{unsaidKink{}, "curvature", "more than the curvature 1 allows"},
	{expectile{"quadratic on either side", 0.8}, "quadratic", "by the curvature"},
	{oneSided{}, "margin", "is not the loss at"},
	{contrary{}, "margin", "the derivative at 0"},
	{noRate{}, "rate", "Rate is 0"},
	{constantOfAnother{}, "constant", "has the mean loss"},
	{constantOutside{}, "constant", "is not between the targets"},
	{contrary{}, "probability", "the mean derivative"},
	{unequal{}, "probabilities", "mean gradient"},
	{overwrites{}, "gradient", "over its own argument"},
	{forgiving{}, "gradient", "does not panic"},
	{rateOfPointers{}, "user-defined", "a pointer to Squared{} behaves"},
	{expectile{"prints no expression", 0.8}, "text", "no Go expression"},
	{expectile{"saved in single precision", 0.8}, "file", "the loaded expectile{Tau: 0.8} behaves"},
}

func TestCheckLossPassesGoodLosses(t *testing.T) {
	t.Run("registered", func(t *testing.T) { CheckLoss(t, expectile{Tau: 0.8}, 0) })
	t.Run("pointer", func(t *testing.T) { CheckLoss(t, &expectile{Tau: 0.3}, 0) })
	t.Run("not registered", func(t *testing.T) { CheckLoss(t, struct{ loss.Pinball }{loss.Pinball{Tau: 0.3}}, 0) })
}

func TestCheckLossFindsFaults(t *testing.T) {
	for _, f := range lossFindings {
		finding{fault(fmt.Sprintf("%T %v", f.l, f.l)), f.check, f.message}.expect(t, lossCheck{l: f.l}.checks())
	}
	excess := lossCheck{loss.Huber{Delta: 1}, 0}.checks()
	finding{"excess", "constant", "has the mean loss"}.expect(t, excess)
}
