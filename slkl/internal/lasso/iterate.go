package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// iterate is the Lasso of one output at its current weights. w and b share memory with the problem.
type iterate struct {
	*Problem
	tau float64
	w   []float64
	b   []float64 // Cᵀy
	g   []float64 // Cᵀ(y − Cw)
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

// objective returns the objective at w, given g, and a bound on its rounding error, which is
// dominated by Σ|w_l·P_lm·w_m|.
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

// settled reports whether w, given g, satisfies all optimality conditions up to the rounding error
// of g, so that no step can improve it.
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

// atMost reports whether neither the objective nor its rounding error exceed before + noise.
func (l *iterate) atMost(before, noise float64) bool {
	value, now := l.objective()
	return value <= before+noise && now <= before+noise
}

// certificate returns the certificate of w, given g.
func (l *iterate) certificate() Certificate { return l.certify(compute.ColumnOf(l.g), l.tau) }

// solveActive overwrites x with P_AA⁻¹x, the diagonal of P_AA raised by the fraction shift. It
// reports false and keeps x if that is not positive definite to working precision. O(|A|³).
func (l *iterate) solveActive(active []int, x []float64, shift float64) bool {
	u := l.submatrix(l.p, active, shift)
	if !compute.Cholesky(u, l.Workers) {
		return false
	}
	solve(u, compute.ColumnOf(x), l.Workers)
	return true
}

// submatrix returns the upper triangle of the rows and columns of a in set, the diagonal raised by
// the fraction shift. The next call overwrites it.
func (l *iterate) submatrix(a compute.Matrix, set []int, shift float64) compute.Matrix {
	h := compute.Reshape(&l.buffer, len(set), len(set))
	for i, m := range set {
		r, from := compute.Row(h, i), compute.Row(a, m)
		for j := i; j < len(set); j++ {
			r[j] = from[set[j]]
		}
		r[i] *= 1 + shift
	}
	return h
}

// raising calls factor with growing shifts, from 0 on, until it succeeds. A shift is a fraction of
// the diagonal. With it, a matrix that is semidefinite up to rounding becomes definite. It reports
// false if no shift succeeds.
func raising(factor func(shift float64) bool) bool {
	for shift := 0.0; shift < 1; shift = max(4*shift, 1e-15) {
		if factor(shift) {
			return true
		}
	}
	return false
}

// solve overwrites b with (UᵀU)⁻¹b.
func solve(u, b compute.Matrix, workers int) {
	compute.SolveUpper(u, b, true, workers)
	compute.SolveUpper(u, b, false, workers)
}
