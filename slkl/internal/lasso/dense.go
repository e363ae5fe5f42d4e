package lasso

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// raising calls factor with no shift of the diagonal and then, until it succeeds,
// with growing ones, as fractions of the diagonal: what a matrix needs that is
// positive semidefinite but for rounding. It reports false if none helps.
func raising(factor func(shift float64) bool) bool {
	for shift := 0.0; shift < 1; shift = max(4*shift, 1e-15) {
		if factor(shift) {
			return true
		}
	}
	return false
}

// solveColumn overwrites x with (UᵀU)⁻¹x.
func solveColumn(u compute.Matrix, x []float64, workers int) {
	b := compute.ColumnOf(x)
	compute.SolveUpper(u, b, true, workers)
	compute.SolveUpper(u, b, false, workers)
}

// inverse is P⁻¹, which problems share and the first that asks computes.
type inverse struct {
	once    sync.Once
	of      compute.Matrix
	sums    *Sums
	workers int
}

// Space is memory of an inverse of P, and of what the problem of each output solves, for one after the other.
type Space struct {
	inverse, factor compute.Matrix
	active          map[int]*[]float64 // of each output
}

// SpaceIn is a Space in memory at hand, M×M each, or empty.
func SpaceIn(inverse, factor compute.Matrix) Space { return Space{inverse: inverse, factor: factor} }

// of returns the memory of the problem of an output.
func (s *Space) of(output int) *[]float64 {
	if s == nil {
		return new([]float64)
	}
	if s.active == nil {
		s.active = map[int]*[]float64{}
	}
	if s.active[output] == nil {
		s.active[output] = new([]float64)
	}
	return s.active[output]
}

// Lend gives other memory, M×M, to make an inverse with, which is of no use after that.
func (s *Space) Lend(factor compute.Matrix) { s.factor = factor }

// get returns the inverse of p, or an empty matrix where p is singular to working precision or
// where r stopped it. O(M³).
func (v *inverse) get(p compute.Matrix, r *monitor.Monitor) compute.Matrix {
	v.once.Do(func() {
		space := v.sums.Space
		if space == nil {
			space = new(Space)
		}
		u := compute.Reshape(&space.inverse, p.Rows, p.Cols)
		compute.CopyTo(u, p)
		if !compute.Cholesky(u, v.workers) {
			return
		}
		inv := inverseOf(u, compute.Reshape(&space.factor, p.Rows, p.Cols), v.workers, r.Stopped)
		if !r.Stopped() {
			compute.Mirror(inv)
			v.of = inv
		}
	})
	return v.of
}

// panel is how many columns of a triangular matrix are worked on at once, so
// that its zeros cost little.
const panel = 128

// inverseOf overwrites U by the upper triangle of (UᵀU)⁻¹ = XᵀX, where X = U⁻ᵀ is zero
// above its diagonal, or by a part of it once stopped; x is memory for X. O(M³).
func inverseOf(u, x compute.Matrix, workers int, stopped func() bool) compute.Matrix {
	n := u.Rows
	compute.Zero(x)
	for from := 0; from < n && !stopped(); from += panel {
		to := min(from+panel, n)
		for i := from; i < to; i++ {
			compute.Row(x, i)[i] = 1
		}
		compute.SolveUpper(compute.Block(u, from, n, from, n), compute.Block(x, from, n, from, to), true, workers)
	}
	compute.Zero(u)
	for from := 0; from < n && !stopped(); from += panel {
		to := min(from+panel, n)
		compute.AddGram(compute.Block(u, 0, to, 0, to), compute.Block(x, from, to, 0, to), workers)
	}
	return u
}
