package doublysgd

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// testGroup is the number of rows of xTest whose variances are found together.
const testGroup = 128

// variances returns t×1 variances under the prior covariance k, of which the data leave
// at least the given share: A ≼ (tr K + s²)·I.
func (g *gpFit) variances(test compute.Matrix, least float64) (compute.Matrix, error) {
	v := compute.NewMatrix(test.Rows, min(test.Rows, 1))
	if test.Rows > 0 {
		g.s.of.Diag(v.Data, test)
	}
	eachChunk(test.Rows, testGroup, func(from, to int) {
		if !g.r.Stopped() {
			g.group(compute.Rows(test, from, to), v.Data[from:to], least)
		}
	})
	for j, v := range v.Data {
		if !finite(v) {
			return compute.Matrix{}, fmt.Errorf("doublysgd: the variance at row %d of xTest is %v: %w", j, v, rkhs.ErrDiverged)
		}
	}
	return v, nil
}

// group replaces prior variances v by those of the posterior: for k = k(X, x*) and
// any x with residual r,
//
//	kᵀA⁻¹k = kᵀx + xᵀr + rᵀA⁻¹r,
//
// of which the last part is left out and bounds the error.
func (g *gpFit) group(test compute.Matrix, v []float64, least float64) {
	cross := compute.NewMatrix(g.s.x.Rows, test.Rows)
	g.s.of.Cross(cross, g.s.x, test)
	c := newConjugate(g.s, cross)
	left := func() []float64 {
		w, more := columnDots(c.b, c.x), columnDots(c.x, c.r)
		for j, k := range v {
			w[j] = max(least*k, k-w[j]-more[j])
		}
		return w
	}
	g.solve(c, func() float64 {
		bound := 0.0
		for j, v := range left() {
			bound = max(bound, relativeBound(c.rho[j], v, 0))
		}
		return bound
	})
	copy(v, left())
}
