package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// conjugate solves A·X = B, n×k, by the method of conjugate gradients, each column by
// itself but for the products, which they share.
type conjugate struct {
	s          *system
	b, x, r, p compute.Matrix
	w          compute.Matrix // A·p, and then P⁻¹r
	rho        []float64      // rᵀP⁻¹r of each column, which bounds rᵀA⁻¹r
	steps      int
}

func newConjugate(s *system, b compute.Matrix) *conjugate {
	c := &conjugate{s: s, b: b}
	for _, m := range []*compute.Matrix{&c.x, &c.r, &c.p, &c.w} {
		*m = compute.NewMatrix(b.Rows, b.Cols)
	}
	return c
}

// run iterates until wrong, which bounds the error of x, is at most the tolerance, or
// each, called before every iteration, says no. A residual that is carried along drifts
// from that of x: where that may matter it is computed anew at the end, and the
// iteration goes on from there until that brings nothing more.
func (c *conjugate) run(tolerance float64, wrong func() float64, each func(bound float64) bool) (float64, rkhs.Status) {
	for last := math.Inf(1); ; {
		c.begin()
		bound := wrong()
		if bound <= tolerance {
			return bound, rkhs.Converged
		}
		if math.IsNaN(bound) || c.steps > 0 && !(2*bound < last) {
			return bound, rkhs.Stalled
		}
		last = bound
		for moved := true; moved && bound > tolerance; bound = wrong() {
			if !each(bound) {
				return bound, rkhs.IterationLimit
			}
			moved = c.step()
		}
		if bound <= tolerance && !c.drifted() {
			return bound, rkhs.Converged
		}
	}
}

// begin sets r to B − A·x, and p to the steepest descent.
func (c *conjugate) begin() {
	if c.steps > 0 {
		c.s.apply(c.r, c.x)
		subtractFrom(c.r, c.b)
	} else {
		copy(c.r.Data, c.b.Data)
	}
	c.turn(nil)
}

// drifted reports whether rounding may have moved r from B − A·x by a tenth of itself.
// After t steps it has by some t·ε·‖A‖·‖x‖. Source: Greenbaum, "Estimating the attainable
// accuracy of recursively computed residual methods", SIAM Journal on Matrix Analysis
// and Applications 18, 1997.
func (c *conjugate) drifted() bool {
	gap := float64(c.steps) * unitRoundoff * (c.s.trace + c.s.noise)
	size, left := columnDots(c.x, c.x), columnDots(c.r, c.r)
	for o, v := range size {
		if gap*math.Sqrt(v) > 0.1*math.Sqrt(left[o]) {
			return true
		}
	}
	return false
}

// step takes one iteration. It reports whether any column has moved.
func (c *conjugate) step() bool {
	c.steps++
	c.s.apply(c.w, c.p)
	length := columnDots(c.p, c.w)
	moved := false
	for o, curvature := range length {
		length[o] = 0
		if curvature > 0 && c.rho[o] > 0 { // else it has converged as far as rounding allows
			length[o] = c.rho[o] / curvature
			moved = true
		}
	}
	for i := range c.x.Rows {
		x, r, p, w := row(c.x, i), row(c.r, i), row(c.p, i), row(c.w, i)
		for o, a := range length {
			x[o] += a * p[o]
			r[o] -= a * w[o]
		}
	}
	c.turn(c.rho)
	return moved
}

// turn sets p to P⁻¹r + (ρ/ρ_before)·p, or to P⁻¹r if there was none before.
func (c *conjugate) turn(before []float64) {
	c.s.precondition(c.w, c.r)
	c.rho = columnDots(c.r, c.w)
	keep := make([]float64, len(c.rho))
	for o := range before {
		if before[o] > 0 {
			keep[o] = c.rho[o] / before[o]
		}
	}
	for i := range c.p.Rows {
		p, w := row(c.p, i), row(c.w, i)
		for o, b := range keep {
			p[o] = w[o] + b*p[o]
		}
	}
}

// columnDots returns aᵀb of each column.
func columnDots(a, b compute.Matrix) []float64 {
	sums := make([]float64, a.Cols)
	for i := range a.Rows {
		x, y := row(a, i), row(b, i)
		for o := range sums {
			sums[o] += float64(x[o] * y[o])
		}
	}
	return sums
}
