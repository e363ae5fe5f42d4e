package ratio

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestLeaveOneOut compares the approximation with explicit fits that exclude one row each,
// by setting its e to zero.
func TestLeaveOneOut(t *testing.T) {
	const n = 60
	draw := rng.New(3, "test", 0)
	x := compute.NewMatrix(n, 2)
	for i := range x.Data {
		x.Data[i] = draw.Float64()
		if i < n { // rows from p
			x.Data[i] += 0.3
		}
	}
	c, _, err := nystrom.New(gram.Evaluator{Kernel: kernel.Gaussian{Sigma: 0.7}}, compute.DensePoints(x), 20, 0, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []Form{Log, Plain} {
		for _, nu := range []float64{1, 0.1, 0.01, 1e-3} {
			whole := &problem{form: form, e: c.At(compute.DensePoints(x)), above: n / 2, nu: nu, random: make([]float64, n)}
			got := floats.Sum(whole.leaveOneOut(whole.solve(compute.NewMatrix(c.Count(), 1))))
			want := 0.0
			for i := range n {
				part := *whole
				part.e = compute.Clone(whole.e)
				clear(compute.Row(part.e, i))
				phi := compute.NewMatrix(c.Count(), 1)
				part.solve(phi)
				l, _, _ := whole.at(i, whole.credible(i, whole.values(phi).Data[i]))
				want += l
			}
			at0, _, _ := whole.at(0, 0)
			atN, _, _ := whole.at(n-1, 0)
			none := n / 2 * (at0 + atN) // loss of f = 0
			t.Logf("form %d, nu %g: %.5f, refitted %.5f; of f = 0 %.5f", form, nu, got, want, none)
			if got > none && want > none {
				continue // both prefer f = 0
			}
			if d := math.Abs(got - want); !(d <= 0.1*(none-want)) {
				t.Errorf("form %d, nu %g: loss %v, that of fits without each row %v, of f = 0 %v", form, nu, got, want, none)
			}
		}
	}
}
