package linalg

import (
	"math"
)

// RankOne replaces the matrix by itself plus x·xᵀ, as it changes in the Schur
// complement of a Gram matrix when one of the points that it is taken against
// goes. n²/2 rotations, and a solve more when the inverse diagonal is tracked. It
// panics if x has not length n.
func (c *Cholesky) RankOne(x []float64) {
	checkLen("x", len(x), c.l.N)
	if c.tracked {
		c.trackRankOne(x)
	}
	givens := c.givens[:0]
	for i := range x {
		row, carry := c.l.Row(i), x[i]
		for k, g := range givens {
			row[k], carry = g.cos*row[k]+g.sin*carry, g.cos*carry-g.sin*row[k]
		}
		h := math.Hypot(row[i], carry)
		givens = append(givens, rotation{row[i] / h, carry / h})
		row[i] = h
	}
	c.givens = givens[:0]
	c.restoreLost()
}

// trackRankOne updates the diagonal of the inverse by the formula of Sherman and
// Morrison: with y = G·x, diag(G) −= y∘y/(1 + xᵀy).
func (c *Cholesky) trackRankOne(x []float64) {
	y := resize(&c.inverse, len(x))
	c.SolveVecTo(y, x)
	s := 1.0
	for i, v := range x {
		s += v * y[i]
	}
	for i, old := range c.diag {
		c.diag[i] = old - y[i]*y[i]/s
		if !(c.diag[i] > cancelled*old) {
			c.lost = append(c.lost, i)
		}
	}
}
