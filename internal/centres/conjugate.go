package centres

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Conjugate solves A·X = B, n×k, by the method of conjugate gradients, each column by
// itself but for the products, which they share.
type Conjugate struct {
	B, X, R compute.Matrix // R = B − A·X, but for rounding
	Rho     []float64      // rᵀP⁻¹r of each column, which bounds rᵀA⁻¹r

	s       Operator
	p, w    compute.Matrix // w is A·p, and then P⁻¹r
	steps   int
	stopped bool // by the operator
}

// An Operator is a matrix A, and a preconditioner P.
type Operator interface {
	// Apply sets dst to A·v, n×k, unless it is told to stop, of which it returns false.
	Apply(dst, v compute.Matrix) bool
	// Precondition sets dst to P⁻¹r.
	Precondition(dst, r compute.Matrix)
	// Size bounds the norm of A, or of what is known of it.
	Size() float64
}

// NewConjugate begins at X = 0.
func NewConjugate(s Operator, b compute.Matrix) *Conjugate {
	c := &Conjugate{s: s, B: b}
	for _, m := range []*compute.Matrix{&c.X, &c.R, &c.p, &c.w} {
		*m = compute.NewMatrix(b.Rows, b.Cols)
	}
	return c
}

// Run iterates until wrong, which bounds the error of x, is at most the tolerance, or
// each, called before every iteration, says no. A residual that is carried along drifts
// from that of x: where that may matter it is computed anew at the end, and the
// iteration goes on from there until that brings nothing more. Where the operator stops, x
// is as it was before the step.
func (c *Conjugate) Run(tolerance float64, wrong func() float64, each func(bound float64) bool) (float64, rkhs.Status) {
	for last := math.Inf(1); ; {
		c.begin()
		bound := wrong()
		if c.stopped {
			return bound, rkhs.IterationLimit
		}
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
		if c.stopped {
			return bound, rkhs.IterationLimit
		}
		if bound <= tolerance && !c.drifted() {
			return bound, rkhs.Converged
		}
	}
}

// begin sets r to B − A·x, and p to the steepest descent.
func (c *Conjugate) begin() {
	if c.steps > 0 {
		if c.stopped = !c.s.Apply(c.w, c.X); c.stopped {
			return
		}
		for i, v := range c.B.Data {
			c.R.Data[i] = v - c.w.Data[i]
		}
	} else {
		copy(c.R.Data, c.B.Data)
	}
	c.turn(nil)
}

// Renew computes R anew for an X that was set. It returns false if the operator stops.
func (c *Conjugate) Renew() bool {
	c.steps++
	c.begin()
	return !c.stopped
}

// drifted reports whether rounding may have moved r from B − A·x by a tenth of itself.
// After t steps it has by some t·ε·‖A‖·‖x‖. Source: Greenbaum, "Estimating the attainable
// accuracy of recursively computed residual methods", SIAM Journal on Matrix Analysis
// and Applications 18, 1997.
func (c *Conjugate) drifted() bool {
	gap := float64(c.steps) * unitRoundoff * c.s.Size()
	size, left := compute.ColumnDots(c.X, c.X), compute.ColumnDots(c.R, c.R)
	for o, v := range size {
		if gap*math.Sqrt(v) > 0.1*math.Sqrt(left[o]) {
			return true
		}
	}
	return false
}

// step takes one iteration. It reports whether any column has moved.
func (c *Conjugate) step() bool {
	if c.stopped = !c.s.Apply(c.w, c.p); c.stopped {
		return false
	}
	c.steps++
	length := compute.ColumnDots(c.p, c.w)
	moved := false
	for o, curvature := range length {
		length[o] = 0
		if curvature > 0 && c.Rho[o] > 0 { // else it has converged as far as rounding allows
			length[o] = c.Rho[o] / curvature
			moved = true
		}
	}
	for i := range c.X.Rows {
		x, r, p, w := compute.Row(c.X, i), compute.Row(c.R, i), compute.Row(c.p, i), compute.Row(c.w, i)
		for o, a := range length {
			x[o] += a * p[o]
			r[o] -= a * w[o]
		}
	}
	c.turn(c.Rho)
	return moved
}

// turn sets p to P⁻¹r + (ρ/ρ_before)·p, or to P⁻¹r if there was none before.
func (c *Conjugate) turn(before []float64) {
	c.s.Precondition(c.w, c.R)
	c.Rho = compute.ColumnDots(c.R, c.w)
	keep := make([]float64, len(c.Rho))
	for o := range before {
		if before[o] > 0 {
			keep[o] = c.Rho[o] / before[o]
		}
	}
	for i := range c.p.Rows {
		p, w := compute.Row(c.p, i), compute.Row(c.w, i)
		for o, b := range keep {
			p[o] = w[o] + b*p[o]
		}
	}
}
