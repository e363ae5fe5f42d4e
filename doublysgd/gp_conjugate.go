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
// from that of x: it is computed anew at the end, and the iteration goes on from there
// until that brings nothing more.
func (c *conjugate) run(tolerance float64, wrong func() float64, each func(bound float64) bool) (float64, rkhs.Status) {
	copy(c.r.Data, c.b.Data)
	for last := math.Inf(1); ; {
		c.turn(nil)
		for bound := wrong(); bound > tolerance; bound = wrong() {
			if !each(bound) {
				return bound, rkhs.IterationLimit
			}
			if !c.step() {
				break
			}
		}
		c.residual()
		switch bound := wrong(); {
		case bound <= tolerance:
			return bound, rkhs.Converged
		case !(bound <= last/2):
			return bound, rkhs.Stalled
		default:
			last = bound
		}
	}
}

// residual sets r to B − A·x.
func (c *conjugate) residual() {
	c.s.apply(c.r, c.x)
	subtractFrom(c.r, c.b)
}

// step takes one iteration. It reports whether any column has moved.
func (c *conjugate) step() bool {
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
