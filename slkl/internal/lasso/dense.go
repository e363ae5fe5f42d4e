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
	inverse compute.Matrix
	active  map[int]*[]float64 // of each output
}

// SpaceIn is a Space in memory at hand, M×M or empty.
func SpaceIn(inverse compute.Matrix) Space { return Space{inverse: inverse} }

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

// Lend gives other memory, M×M, for the next inverse.
func (s *Space) Lend(inverse compute.Matrix) { s.inverse = inverse }

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
		compute.InvertFactored(u, r.Stopped, v.workers)
		if !r.Stopped() {
			compute.Mirror(u)
			v.of = u
		}
	})
	return v.of
}
