package linalg

import (
	"math"
)

// RankOne adds x·xᵀ to the matrix, for example to a Schur complement after a point of its base is removed. n²/2
// rotations, and a solve with a tracked inverse diagonal. It panics unless x has length n.
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
	c.recomputeCancelled()
}

// trackRankOne updates the diagonal of the inverse by the Sherman-Morrison formula: with y = G·x, it
// subtracts y∘y/(1 + xᵀy).
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
			c.cancelled = append(c.cancelled, i)
		}
	}
}
