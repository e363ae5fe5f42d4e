package nystrom

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Conjugate solves A·X = B, n×k, by preconditioned conjugate gradients. Columns are independent but
// share the products with A.
type Conjugate struct {
	B, X, R compute.Matrix // R = B − A·X, up to rounding
	Rho     []float64      // rᵀP⁻¹r ≥ rᵀA⁻¹r of each column

	s       Operator
	p, w    compute.Matrix // w is A·p, and then P⁻¹r
	steps   int
	stopped bool // by the operator
}

// An Operator is a matrix A with a preconditioner P.
type Operator interface {
	// Apply sets dst to A·v, n×k. It returns false if it was stopped.
	Apply(dst, v compute.Matrix) bool
	// Precondition sets dst to P⁻¹r.
	Precondition(dst, r compute.Matrix)
	// Size returns a bound or an estimate of the norm of A.
	Size() float64
}

// NewConjugate starts at X = 0.
func NewConjugate(s Operator, b compute.Matrix) *Conjugate {
	c := &Conjugate{s: s, B: b}
	for _, m := range []*compute.Matrix{&c.X, &c.R, &c.p, &c.w} {
		*m = compute.NewMatrix(b.Rows, b.Cols)
	}
	return c
}

// Run iterates until bound, which bounds the error of X, is at most the tolerance, or until each, called
// before every iteration, returns false. The recursive residual drifts from B − A·X. Run therefore
// recomputes it at the end if necessary, and continues until that gives no improvement. If the operator
// stops, X is unchanged by the step.
func (c *Conjugate) Run(tolerance float64, bound func() float64, each func(bound float64) bool) (float64, rkhs.Status) {
	for last := math.Inf(1); ; {
		c.begin()
		wrong := bound()
		if c.stopped {
			return wrong, rkhs.IterationLimit
		}
		if wrong <= tolerance {
			return wrong, rkhs.Converged
		}
		if math.IsNaN(wrong) || c.steps > 0 && !(2*wrong < last) {
			return wrong, rkhs.Stalled
		}
		last = wrong
		for updated := true; updated && wrong > tolerance; wrong = bound() {
			if !each(wrong) {
				return wrong, rkhs.IterationLimit
			}
			updated = c.step()
		}
		if c.stopped {
			return wrong, rkhs.IterationLimit
		}
		if wrong <= tolerance && !c.drifted() {
			return wrong, rkhs.Converged
		}
	}
}

// begin sets R to B − A·X and p to P⁻¹R.
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

// Renew recomputes R after X was changed. It returns false if the operator stops.
func (c *Conjugate) Renew() bool {
	c.steps++
	c.begin()
	return !c.stopped
}

// drifted reports whether R may differ from B − A·X by a tenth of its norm. After t steps the difference
// is about t·ε·‖A‖·‖X‖. Source: Greenbaum, "Estimating the attainable
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

// step performs one iteration and reports whether any column changed.
func (c *Conjugate) step() bool {
	if c.stopped = !c.s.Apply(c.w, c.p); c.stopped {
		return false
	}
	c.steps++
	length := compute.ColumnDots(c.p, c.w)
	updated := false
	for o, curvature := range length {
		length[o] = 0
		if curvature > 0 && c.Rho[o] > 0 { // otherwise it has converged up to rounding
			length[o] = c.Rho[o] / curvature
			updated = true
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
	return updated
}

// turn sets p to P⁻¹R + (ρ/ρ_before)·p, or to P⁻¹R at the beginning.
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
