package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// scaled is the factorisation UᵀU = I + D^½·P_AA·D^½ on the columns A with
// mu > 0. Its condition stays moderate where that of P_AA or of D⁻¹ + P_AA
// does not, so that weights, objective and curvatures are taken from it.
type scaled struct {
	t      *task
	active []int
	root   []float64      // √mu of the active columns
	u      compute.Matrix // upper triangle
}

func (t *task) factor() *scaled {
	f := &scaled{t: t}
	for m, v := range t.mu {
		if v > 0 {
			f.active = append(f.active, m)
			f.root = append(f.root, math.Sqrt(v))
		}
	}
	// Without rounding the matrix is the identity plus a positive semidefinite
	// one; a shift is needed where the second outweighs the first by 1e16.
	raising(f.cholesky)
	return f
}

// cholesky fills and factorises u, its diagonal raised by the fraction shift.
func (f *scaled) cholesky(shift float64) bool {
	n := len(f.active)
	f.u = compute.NewMatrix(n, n)
	for i, m := range f.active {
		r, p := row(f.u, i), row(f.t.p, m)
		for j := i; j < n; j++ {
			r[j] = f.root[i] * p[f.active[j]] * f.root[j]
		}
		r[i] = (1 + r[i]) * (1 + shift)
	}
	return compute.Cholesky(f.u, f.t.workers)
}

// weights sets W = G·CᵀY, which is zero outside A. O(m0²·q).
func (f *scaled) weights(w compute.Matrix) {
	x := compute.NewMatrix(len(f.active), w.Cols)
	for i, m := range f.active {
		blas64.Axpy(f.root[i], vector(row(f.t.cy, m)), vector(row(x, i)))
	}
	compute.SolveUpper(f.u, x, true, f.t.workers)
	compute.SolveUpper(f.u, x, false, f.t.workers)
	clear(w.Data)
	for i, m := range f.active {
		blas64.Axpy(f.root[i], vector(row(x, i)), vector(row(w, m)))
	}
}

// inverse returns B⁻¹ = U⁻¹U⁻ᵀ, upper triangle. Among active columns it gives
//
//	c_iᵀKi c_j = (δ_ij − B⁻¹_ij)/√(mu_i·mu_j),
//
// without the cancellation of P_ij − … where mu is large. O(m0³).
func (f *scaled) inverse() compute.Matrix {
	return inverseOf(f.u, f.t.workers)
}

// curvatures sets b_m = c_mᵀKi c_m for every column: P_mm less the squared norm
// of column m of V = U⁻ᵀ·D^½·P_A:. O(M·m0²).
func (f *scaled) curvatures(b []float64) {
	for m := range b {
		b[m] = f.t.p.Data[m*f.t.p.Stride+m]
	}
	v := compute.NewMatrix(len(f.active), len(b))
	for i, m := range f.active {
		blas64.Axpy(f.root[i], vector(row(f.t.p, m)), vector(row(v, i)))
	}
	compute.SolveUpper(f.u, v, true, f.t.workers)
	for i := range v.Rows {
		for m, x := range row(v, i) {
			b[m] -= x * x
		}
	}
	inv := f.inverse()
	for i, m := range f.active {
		b[m] = (1 - row(inv, i)[i]) / (f.root[i] * f.root[i])
	}
}

// objective returns F(mu) = ‖Y‖² − <CᵀY, W> + nu·Σmu for W = weights.
func (f *scaled) objective(w compute.Matrix, nu float64) float64 {
	v := f.t.yy
	for i, m := range f.active {
		v -= blas64.Dot(vector(row(f.t.cy, m)), vector(row(w, m)))
		v += nu * f.root[i] * f.root[i]
	}
	return v
}
