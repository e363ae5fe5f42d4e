package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// iterate is the Lasso of one output with its current iterate w.
type iterate struct {
	p   compute.Matrix // CᵀC
	b   []float64      // Cᵀy
	yy  float64        // ‖y‖²
	tau float64
	// ridge is the part of the diagonal of p that is known to be a ridge.
	ridge float64
	w     []float64
	g     []float64 // Cᵀ(y − Cw)

	workers int
	inverse *inverse   // P⁻¹
	space   *[]float64 // of submatrix
}

// refresh recomputes g from w. O(M·m0).
func (l *iterate) refresh() {
	copy(l.g, l.b)
	for m, v := range l.w {
		if v != 0 {
			blas64.Axpy(-v, compute.RowVector(l.p, m), compute.Vector(l.g))
		}
	}
}

// objective returns the objective at w, with g up to date, and a bound on what
// rounding makes of it, of which Σ|w_l·P_lm·w_m| is the largest part.
func (l *iterate) objective() (value, noise float64) {
	value = l.yy
	size := math.Sqrt(l.yy)
	for m, v := range l.w {
		if v != 0 {
			value += v*(-l.b[m]-l.g[m]) + 2*l.tau*math.Abs(v)
			size += math.Abs(v) * math.Sqrt(compute.Row(l.p, m)[m])
		}
	}
	return value, 1e-15 * size * size
}

// settled reports whether all optimality conditions hold at w but for what rounding makes of
// g, with g up to date: no step would come nearer.
func (l *iterate) settled() bool {
	_, noise := l.objective()
	for m, v := range l.w {
		miss := math.Abs(l.g[m]) - l.tau
		if v != 0 {
			miss = math.Abs(l.g[m] - math.Copysign(l.tau, v))
		}
		if !(miss*miss <= 1e-15*compute.Row(l.p, m)[m]*noise) && miss > 0 {
			return false
		}
	}
	return true
}

// atMost reports whether the objective is no higher than before, and known as
// well as it was.
func (l *iterate) atMost(before, noise float64) bool {
	value, now := l.objective()
	return value <= before+noise && now <= before+noise
}

// certify evaluates the optimality conditions at w, with g up to date.
func (l *iterate) certify() Certificate {
	return certify(compute.ColumnOf(l.b), compute.ColumnOf(l.w), compute.ColumnOf(l.g), l.yy, l.tau, l.ridge)
}

// solveActive overwrites x with P_AA⁻¹x, the diagonal of P_AA raised by the
// fraction shift, and reports whether that is positive definite to working
// precision; x is as it was if not. O(|A|³).
func (l *iterate) solveActive(active []int, x []float64, shift float64) bool {
	u := l.submatrix(l.p, active, shift)
	if !compute.Cholesky(u, l.workers) {
		return false
	}
	solveColumn(u, x, l.workers)
	return true
}

// submatrix returns the upper triangle of the rows and columns of a that set lists,
// the diagonal raised by the fraction shift, in space that the next call takes.
func (l *iterate) submatrix(a compute.Matrix, set []int, shift float64) compute.Matrix {
	n := len(set)
	*l.space = compute.Resize(*l.space, n*n)
	h := compute.Matrix{Rows: n, Cols: n, Stride: max(n, 1), Data: *l.space}
	for i, m := range set {
		r, from := compute.Row(h, i), compute.Row(a, m)
		for j := i; j < n; j++ {
			r[j] = from[set[j]]
		}
		r[i] *= 1 + shift
	}
	return h
}
