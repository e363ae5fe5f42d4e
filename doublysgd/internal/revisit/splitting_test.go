package revisit

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// TestKinks solves problems with kinks to small residuals of the splitting.
// Changes of the coefficients in random directions and towards zero must not
// decrease the objective of the solution.
func TestKinks(t *testing.T) {
	x, y := waves(300, 0.3, 3)
	y = firstColumn(y)
	for _, k := range []*descent.Risk{
		{Scalar: loss.Absolute{}, Y: y},
		{Scalar: loss.Pinball{Tau: 0.9}, Y: y},
		{Scalar: loss.EpsilonInsensitive{Epsilon: 0.1}, Y: y},
		{Scalar: loss.Hinge{}, Y: signsOf(y)},
	} {
		s := solver(t, problem(t, x, k, 32), 3)
		passes := converge(t, s, 1e-6)
		objective := func(e *blocks.Function) float64 {
			f := compute.NewMatrix(300, 1)
			compute.AddRow(f, s.Constant)
			e.AddTo(f, compute.DensePoints(x))
			return k.Value(f)/300 + s.Ridge/2*float64(e.Count())*e.SquaredNorm()
		}
		at := objective(s.Function)
		if d := math.Abs(at - s.Objective()); d > 1e-9 {
			t.Errorf("%v: objective %v, the solver says %v", k.Scalar, at, s.Objective())
		}
		if residual, gap := s.Certificate(); residual != s.Residual() || !math.IsNaN(gap) {
			t.Errorf("%v: the certificate is %v, %v for residuals of %v", k.Scalar, residual, gap, s.Residual())
		}
		for i := range 60 {
			e := s.Function.Clone()
			size := math.Pow(10, -float64(i%4)-1)
			if i < 8 {
				e.Decay(1 - size)
			} else {
				step := gaussians(32, 1, uint64(i))
				for j := range step.Data {
					step.Data[j] *= size
				}
				e.Add(i%3, step)
			}
			if lower := at - objective(e); lower > 1e-7 {
				t.Errorf("%v: a move lowers the objective %.9g by %.2g", k.Scalar, at, lower)
				break
			}
		}
		t.Logf("%v: objective %.6g after %d passes", k.Scalar, at, passes)
	}
}
