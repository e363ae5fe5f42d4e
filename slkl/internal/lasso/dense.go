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
	workers int
}

// get returns the inverse of p, or an empty matrix where p is singular to working precision or
// where r stopped it. O(M³).
func (v *inverse) get(p compute.Matrix, r *monitor.Monitor) compute.Matrix {
	v.once.Do(func() {
		u := compute.Clone(p)
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
