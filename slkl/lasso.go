package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// lasso is the problem of one output in the weights of the columns,
//
//	min_w ‖y − Cw‖² + 2·tau·‖w‖₁,
//
// which equals min_mu F(mu) for tau = √nu, with its current iterate.
type lasso struct {
	p   compute.Matrix // CᵀC
	b   []float64      // Cᵀy
	yy  float64        // ‖y‖²
	tau float64
	w   []float64
	g   []float64 // Cᵀ(y − Cw)

	h []float64 // space of solveActive
}

// refresh recomputes g from w. O(M·m0).
func (l *lasso) refresh() {
	copy(l.g, l.b)
	for m, v := range l.w {
		if v != 0 {
			blas64.Axpy(-v, vector(row(l.p, m)), vector(l.g))
		}
	}
}

// certify evaluates the optimality conditions at w, with g up to date.
func (l *lasso) certify() certificate {
	var bw, gw, norm, worst, kkt float64
	for m, v := range l.w {
		bw += l.b[m] * v
		gw += l.g[m] * v
		norm += math.Abs(v)
		worst = max(worst, math.Abs(l.g[m]))
		if v != 0 {
			kkt = max(kkt, math.Abs(l.g[m]-math.Copysign(l.tau, v)))
		}
	}
	c := dualityGap(l.yy-bw-gw, l.yy-bw, norm, worst, l.tau)
	c.kkt = max(kkt, worst-l.tau) / l.tau
	return c
}

// solveActive overwrites x with P_AA⁻¹x, the diagonal of P_AA raised by the
// fraction shift, and reports whether that is positive definite to working
// precision. O(|A|³).
func (l *lasso) solveActive(active []int, x []float64, shift float64, workers int) bool {
	n := len(active)
	l.h = slices.Grow(l.h[:0], n*n)[:n*n]
	h := compute.Matrix{Rows: n, Cols: n, Stride: max(n, 1), Data: l.h}
	for i, m := range active {
		r, p := row(h, i), row(l.p, m)
		for j := i; j < n; j++ {
			r[j] = p[active[j]]
		}
		r[i] *= 1 + shift
	}
	if !compute.Cholesky(h, workers) {
		return false
	}
	b := compute.Matrix{Rows: n, Cols: 1, Stride: 1, Data: x}
	compute.SolveUpper(h, b, true, workers)
	compute.SolveUpper(h, b, false, workers)
	return true
}
