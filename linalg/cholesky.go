package linalg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Cholesky is the factor L of K + jitter·I = L·Lᵀ for a Gram matrix K whose
// points come and go: Append adds a row and column at the end, AppendBatch
// several, Delete removes any one. With TrackInverseDiag it also keeps the
// diagonal of the inverse
//
//	G = (K + jitter·I)⁻¹,
//
// which is what removing a point costs: of all functions on the points, the one
// with weights w loses w_j²/G_jj of its squared norm when point j goes and the
// other weights are fitted again.
//
// Every operation is backward stable, so that L·Lᵀ = K + jitter·I holds to
// rounding after any number of updates; no refactorisation is needed.
//
// Memory is n²/2 numbers. In the steady state, when as many points go as come,
// nothing is allocated. A Cholesky must not be used by several goroutines at a
// time, not even for solving: it owns the scratch space.
type Cholesky struct {
	jitter  float64
	l       packed
	tracked bool
	diag    []float64

	column  []float64
	inverse []float64
	givens  []rotation
	lost    []int
	panel   []float64
	batch   []float64
	rhs     []float64
}

// NewCholesky returns the factor of an empty matrix. The jitter is added to the
// diagonal of every point; it panics if it is negative or not finite.
func NewCholesky(jitter float64) *Cholesky {
	if !(jitter >= 0) || math.IsInf(jitter, 1) {
		panic(fmt.Sprintf("linalg: jitter is %v, want a finite number ≥ 0", jitter))
	}
	return &Cholesky{jitter: jitter}
}

// TrackInverseDiag computes the diagonal of the inverse, O(n³/3), and keeps it
// from now on: Append and Delete then take O(n²) more. On an empty factor it
// only switches the tracking on; on one that tracks already it computes the
// diagonal afresh.
func (c *Cholesky) TrackInverseDiag() {
	c.tracked = true
	resize(&c.diag, c.l.n)
	for i := range c.diag {
		c.diag[i] = c.inverseEntry(i)
	}
}

// Len returns the number n of points.
func (c *Cholesky) Len() int { return c.l.n }

// Jitter returns what is added to the diagonal.
func (c *Cholesky) Jitter() float64 { return c.jitter }

// InverseDiag returns the diagonal of G, of length n. It is a view, to be read
// only and until the next update. It panics unless TrackInverseDiag was called.
func (c *Cholesky) InverseDiag() []float64 {
	if !c.tracked {
		panic("linalg: the diagonal of the inverse is not tracked")
	}
	return c.diag
}

// Append adds a point: k holds the n kernel values against the present points,
// diag the kernel value with itself, without jitter. It returns the Schur
// complement
//
//	s = diag + jitter − kᵀ·G·k,
//
// the squared distance (plus jitter) of the point from the span of the others.
// If s is not finite or not above max(tol, 0), the point is refused: ok is false
// and nothing has changed. For a relative test pass tol as a fraction of diag.
// Numbers s below about n·2⁻⁵²·diag are rounding noise.
//
// O(n²/2) multiplications, twice that when the inverse diagonal is tracked. It
// panics if k has not length n.
func (c *Cholesky) Append(k []float64, diag, tol float64) (s float64, ok bool) {
	n := c.l.n
	checkLen("k", len(k), n)
	row := c.l.push()
	copy(row, k)
	c.forward(row[:n], 0)
	s = diag + c.jitter - floats.Dot(row[:n], row[:n])
	if !(s > max(tol, 0)) || math.IsInf(s, 1) {
		c.l.pop()
		return s, false
	}
	row[n] = math.Sqrt(s)
	if c.tracked {
		c.trackAppend(row[:n], s)
	}
	return s, true
}

// trackAppend updates the diagonal of the inverse for a new point with Schur
// complement s, where v = L⁻¹k: diag(G) += (G·k)²/s, and 1/s for the point.
func (c *Cholesky) trackAppend(v []float64, s float64) {
	gk := resize(&c.inverse, len(v))
	copy(gk, v)
	c.backward(gk)
	for i, x := range gk {
		c.diag[i] += x * x / s
	}
	c.diag = append(c.diag, 1/s)
}

// checkLen panics if an argument has not the length it should have.
func checkLen(name string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("linalg: %s has length %d, want %d", name, got, want))
	}
}

// checkIndex panics if i is not the index of one of n.
func checkIndex(name string, i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("linalg: %s %d is out of range, there are %d", name, i, n))
	}
}

// checkDims panics if a matrix has not the dimensions it should have.
func checkDims(name string, m blas64.General, rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(fmt.Sprintf("linalg: %s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols))
	}
}

// resize returns the first n numbers of a scratch slice, which grows as needed;
// they hold whatever was left there.
func resize(s *[]float64, n int) []float64 {
	*s = slices.Grow((*s)[:0], n)[:n]
	return *s
}
