package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// scaled is the factorisation UᵀU = I + D^½·P_AA·D^½/lam on the columns A with
// mu > 0. Its condition stays moderate where that of P_AA or of D⁻¹ + P_AA/lam
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
	n := len(f.active)
	f.u = compute.NewMatrix(n, n)
	for i, m := range f.active {
		r, p := row(f.u, i), row(t.p, m)
		for j := i; j < n; j++ {
			r[j] = f.root[i] * p[f.active[j]] * f.root[j] / t.lam
		}
		r[i]++
	}
	// The matrix is the identity plus one that is positive semidefinite.
	compute.Cholesky(f.u, t.workers)
	return f
}

// weights sets W = G·CᵀY/lam, which is zero outside A. O(m0²·q).
func (f *scaled) weights(w compute.Matrix) {
	x := compute.NewMatrix(len(f.active), w.Cols)
	for i, m := range f.active {
		blas64.Axpy(f.root[i]/f.t.lam, vector(row(f.t.cy, m)), vector(row(x, i)))
	}
	compute.SolveUpper(f.u, x, true, f.t.workers)
	compute.SolveUpper(f.u, x, false, f.t.workers)
	clear(w.Data)
	for i, m := range f.active {
		blas64.Axpy(f.root[i], vector(row(x, i)), vector(row(w, m)))
	}
}

// reduced returns V = U⁻ᵀ·D^½·P_A: for the listed columns, so that
// c_mᵀKi c_l = (P_ml − V_:mᵀV_:l)·lam⁻¹ with V scaled by lam^-½. O(m0²·len).
func (f *scaled) reduced(list []int) compute.Matrix {
	v := compute.NewMatrix(len(f.active), len(list))
	for i, m := range f.active {
		r, p := row(v, i), row(f.t.p, m)
		s := f.root[i] / math.Sqrt(f.t.lam)
		for j, l := range list {
			r[j] = s * p[l]
		}
	}
	compute.SolveUpper(f.u, v, true, f.t.workers)
	return v
}

// curvatures sets b_m = c_mᵀKi c_m for every column. O(M·m0²).
func (f *scaled) curvatures(b []float64) {
	all := make([]int, len(b))
	for m := range all {
		all[m] = m
		b[m] = f.t.p.Data[m*f.t.p.Stride+m]
	}
	v := f.reduced(all)
	for i := range v.Rows {
		for m, x := range row(v, i) {
			b[m] -= x * x
		}
	}
	blas64.Scal(1/f.t.lam, vector(b))
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
