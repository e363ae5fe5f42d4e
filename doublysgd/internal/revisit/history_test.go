package revisit

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// TestScoresMatchCoefficients continues far past the minimum, where steps are rounding errors. The
// objective at the updated scores must equal the objective of the coefficients, and must not be
// below the minimum found with a tolerance.
func TestScoresMatchCoefficients(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, y := waves(600, 0.2, 4)
	y = firstColumn(y)
	for _, k := range []*descent.Risk{
		squared(y),
		{Scalar: loss.SquaredHinge{}, Y: signsOf(y)},
		{Scalar: loss.Logistic{}, Y: signsOf(y)},
		{Multi: loss.Softmax{}, Class: classesOf(y)},
	} {
		for _, count := range []int{1, 4} {
			s := solver(t, problem(t, x, k, 256/count), count)
			passes := converge(t, s, 1e-9)
			least := s.Objective()
			p := problem(t, x, k, 256/count)
			p.Converge = false
			s = solver(t, p, count)
			for n := range 300 {
				s.Pass(n, func(int) {})
				if n != 14 && n != 34 && n != 299 {
					continue
				}
				got, want := s.Objective(), trueObjective(s, x, k)
				if math.Abs(got-want) > 1e-10*want || got < least*(1-1e-10) {
					t.Errorf("%v in %d blocks, %d passes: objective %.12g of the scores, %.12g in truth, minimum %.12g", k.Loss(), count, n+1, got, want, least)
				}
			}
			t.Logf("%v in %d blocks: minimum %.9g after %d passes", k.Loss(), count, least, passes)
		}
	}
}

// trueObjective computes the objective from the coefficients and the constant.
func trueObjective(s *Solver, x compute.Matrix, k *descent.Risk) float64 {
	f := compute.NewMatrix(x.Rows, s.Function.Outputs)
	compute.AddRow(f, s.Constant)
	s.Function.AddTo(f, compute.DensePoints(x))
	return k.Value(f)/float64(x.Rows) + s.Ridge/2*float64(s.Function.Count())*s.Function.SquaredNorm()
}
