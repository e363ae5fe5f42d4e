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

	inverse func() compute.Matrix // P⁻¹, empty if P is singular
	h       []float64             // space of gather
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

// objective returns the objective at w, with g up to date, and a bound on what
// rounding makes of it, of which Σ|w_l·P_lm·w_m| is the largest part.
func (l *lasso) objective() (value, noise float64) {
	value = l.yy
	size := math.Sqrt(l.yy)
	for m, v := range l.w {
		if v != 0 {
			value += v*(-l.b[m]-l.g[m]) + 2*l.tau*math.Abs(v)
			size += math.Abs(v) * math.Sqrt(row(l.p, m)[m])
		}
	}
	return value, 1e-15 * size * size
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
// precision; x is as it was if not. O(|A|³).
func (l *lasso) solveActive(active []int, x []float64, shift float64, workers int) bool {
	u := l.gather(l.p, active, shift)
	if !compute.Cholesky(u, workers) {
		return false
	}
	solveColumn(u, x, workers)
	return true
}

// gather returns the upper triangle of the rows and columns of a that set lists,
// the diagonal raised by the fraction shift, in space that the next call takes.
func (l *lasso) gather(a compute.Matrix, set []int, shift float64) compute.Matrix {
	n := len(set)
	l.h = slices.Grow(l.h[:0], n*n)[:n*n]
	h := compute.Matrix{Rows: n, Cols: n, Stride: max(n, 1), Data: l.h}
	for i, m := range set {
		r, from := row(h, i), row(a, m)
		for j := i; j < n; j++ {
			r[j] = from[set[j]]
		}
		r[i] *= 1 + shift
	}
	return h
}
