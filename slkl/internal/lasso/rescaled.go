package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// rescaled is the factorisation UᵀU = I + D^½·P_AA·D^½ on the columns A with mu > 0. Its condition
// is moderate even if the condition of P_AA or D⁻¹ + P_AA is not.
type rescaled struct {
	problem *Problem
	active  []int
	root    []float64      // √mu of the active columns
	u       compute.Matrix // upper triangle
}

// rescale returns the factorisation for Mu.
func (p *Problem) rescale() *rescaled {
	f := &rescaled{problem: p}
	for m, v := range p.Mu {
		if v > 0 {
			f.active = append(f.active, m)
			f.root = append(f.root, math.Sqrt(v))
		}
	}
	raising(f.cholesky) // the identity vanishes in rounding if D^½·P_AA·D^½ exceeds it 1e16 times
	return f
}

// cholesky computes u, the diagonal raised by the fraction shift.
func (f *rescaled) cholesky(shift float64) bool {
	n := len(f.active)
	f.u = compute.NewMatrix(n, n)
	for i, m := range f.active {
		r, p := compute.Row(f.u, i), compute.Row(f.problem.p, m)
		for j := i; j < n; j++ {
			r[j] = f.root[i] * p[f.active[j]] * f.root[j]
		}
		r[i] = (1 + r[i]) * (1 + shift)
	}
	return compute.Cholesky(f.u, f.problem.Workers)
}

// rows returns the rows D^½·a_A of a, which has M rows.
func (f *rescaled) rows(a compute.Matrix) compute.Matrix {
	x := compute.NewMatrix(len(f.active), a.Cols)
	for i, m := range f.active {
		blas64.Axpy(f.root[i], compute.RowVector(a, m), compute.RowVector(x, i))
	}
	return x
}

// weights sets W = G·CᵀY, which is zero outside A. O(m0²·q).
func (f *rescaled) weights(w compute.Matrix) {
	x := f.rows(f.problem.cy)
	solve(f.u, x, f.problem.Workers)
	clear(w.Data)
	for i, m := range f.active {
		blas64.Axpy(f.root[i], compute.RowVector(x, i), compute.RowVector(w, m))
	}
}

// inverse returns the upper triangle of B⁻¹ = U⁻¹U⁻ᵀ. For active columns it gives
//
//	c_iᵀKi c_j = (δ_ij − B⁻¹_ij)/√(mu_i·mu_j)
//
// without cancellation where mu is large. O(m0³).
func (f *rescaled) inverse() compute.Matrix {
	inverse := compute.Clone(f.u)
	compute.InvertFactored(inverse, nil, f.problem.Workers)
	return inverse
}

// curvatures sets b_m = c_mᵀKi c_m for every column: P_mm minus the squared norm of column m of
// V = U⁻ᵀ·D^½·P_A:. O(M·m0²).
func (f *rescaled) curvatures(b []float64) {
	for m := range b {
		b[m] = compute.Row(f.problem.p, m)[m]
	}
	v := f.rows(f.problem.p)
	compute.SolveUpper(f.u, v, true, f.problem.Workers)
	for i := range v.Rows {
		for m, x := range compute.Row(v, i) {
			b[m] -= x * x
		}
	}
	inv := f.inverse()
	for i, m := range f.active {
		b[m] = (1 - compute.Row(inv, i)[i]) / (f.root[i] * f.root[i])
	}
}

// objective returns F(mu) = ‖Y‖² − <CᵀY, W> + nu·Σmu for W = weights.
func (f *rescaled) objective(w compute.Matrix, nu float64) float64 {
	v := f.problem.yy
	for i, m := range f.active {
		v -= blas64.Dot(compute.RowVector(f.problem.cy, m), compute.RowVector(w, m))
		v += nu * f.root[i] * f.root[i]
	}
	return v
}
