package linalg

import (
	"math"
	"slices"
)

// cancelled is the factor below which an element of the inverse diagonal may not shrink in one
// update. Otherwise the rounding error of the large value would dominate, so it is computed again.
const cancelled = 1.0 / 16

// rotation is a Givens rotation (x, y) → (cos·x + sin·y, cos·y − sin·x).
type rotation struct{ cos, sin float64 }

// Delete removes point i; the indices of later points decrease by one. If g is not nil, it receives
// column i of the previous inverse. The update w −= g·w_i/g_i projects the weights w of a function
// onto the other points.
//
// O((n−i)²) rotations and O(n·(n−i)) moves, and O(n²) for g or a tracked inverse diagonal. It panics
// if i is out of range or g does not have length n.
func (c *Cholesky) Delete(i int, g []float64) {
	n := c.l.N
	checkIndex("point", i, n)
	if g == nil && c.tracked {
		g = resize(&c.inverse, n)
	}
	if g != nil {
		c.inverseColumn(g, i)
	}
	if c.tracked {
		c.trackDelete(i, g)
	}
	c.deleteRow(i)
	c.recomputeCancelled()
}

// recomputeCancelled computes the cancelled elements of the inverse diagonal again.
func (c *Cholesky) recomputeCancelled() {
	for _, j := range c.cancelled {
		c.diag[j] = c.inverseEntry(j)
	}
	c.cancelled = c.cancelled[:0]
}

// trackDelete updates the diagonal of the inverse for the removal of point i, where g is column i of
// the inverse: it subtracts g∘g/g_i and removes element i. Cancelled elements are listed in cancelled by
// their new index.
func (c *Cholesky) trackDelete(i int, g []float64) {
	for j, old := range c.diag {
		c.diag[j] = old - g[j]*g[j]/g[i]
		if j != i && !(c.diag[j] > cancelled*old) {
			at := j
			if j > i {
				at--
			}
			c.cancelled = append(c.cancelled, at)
		}
	}
	c.diag = slices.Delete(c.diag, i, i+1)
}

// deleteRow removes row i of L. The rows below move up by one, and rotations restore the triangle from
// column i on. Long rows are rotated four at a time, because rotations are sequential along a row
// but independent across rows.
func (c *Cholesky) deleteRow(i int) {
	const long = 16
	n := c.l.N
	c.givens = slices.Grow(c.givens[:0], n-i)
	for r := i + 1; r < n; {
		if len(c.givens) < long || r+4 > n {
			copy(c.l.Row(r - 1)[:i], c.l.Row(r)[:i])
			c.rotateRow(r, i, 0, c.l.Row(r)[i])
			r++
			continue
		}
		for k := range 4 {
			copy(c.l.Row(r + k - 1)[:i], c.l.Row(r + k)[:i])
		}
		done := len(c.givens)
		for k, x := range c.rotateFour(r, i) {
			c.rotateRow(r+k, i, done, x)
		}
		r += 4
	}
	c.l.Pop()
}

// rotateFour applies the known rotations to rows r to r+3 from column i on and writes each result one
// row higher. It returns the input of the next rotation of each row.
func (c *Cholesky) rotateFour(r, i int) [4]float64 {
	m := len(c.givens) + 1
	dst, s0, s1, s2, s3 := c.l.Row(r - 1)[i:][:m], c.l.Row(r)[i:][:m], c.l.Row(r + 1)[i:][:m], c.l.Row(r + 2)[i:][:m], c.l.Row(r + 3)[i:][:m]
	x0, x1, x2, x3 := s0[0], s1[0], s2[0], s3[0]
	for k, g := range c.givens {
		y0, y1, y2, y3 := s0[k+1], s1[k+1], s2[k+1], s3[k+1]
		dst[k] = g.cos*x0 + g.sin*y0
		s0[k] = g.cos*x1 + g.sin*y1
		s1[k] = g.cos*x2 + g.sin*y2
		s2[k] = g.cos*x3 + g.sin*y3
		x0 = g.cos*y0 - g.sin*x0
		x1 = g.cos*y1 - g.sin*x1
		x2 = g.cos*y2 - g.sin*x2
		x3 = g.cos*y3 - g.sin*x3
	}
	return [4]float64{x0, x1, x2, x3}
}

// rotateRow applies the rotations from number done on, with the input x, to row r, writes the result
// one row higher, and appends the rotation that zeroes the last number of the row.
func (c *Cholesky) rotateRow(r, i, done int, x float64) {
	dst, src := c.l.Row(r - 1)[i:], c.l.Row(r)[i:]
	for k := done; k < len(c.givens); k++ {
		g, y := c.givens[k], src[k+1]
		dst[k] = g.cos*x + g.sin*y
		x = g.cos*y - g.sin*x
	}
	y := src[len(src)-1]
	h := math.Hypot(x, y)
	dst[len(dst)-1] = h
	c.givens = append(c.givens, rotation{x / h, y / h})
}

// Rotate overwrites x = L⁻¹b of the factor before the last Delete with its value after it; the last
// number of x is then invalid. Call it before any other update. O(n−i). It panics unless x has the
// previous length n.
func (c *Cholesky) Rotate(x []float64) {
	checkLen("x", len(x), c.l.N+1)
	x = x[c.l.N-len(c.givens):]
	for k, g := range c.givens {
		x[k], x[k+1] = float64(g.cos*x[k])+float64(g.sin*x[k+1]), float64(g.cos*x[k+1])-float64(g.sin*x[k])
	}
}
