package linalg

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
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
// Memory is n²/2 + 4n numbers. In the steady state, when as many points go as come,
// nothing is allocated. A Cholesky must not be used by several goroutines at a
// time, not even for solving: it owns the scratch space.
type Cholesky struct {
	jitter  float64
	l       compute.Lower
	tracked bool
	diag    []float64

	column  []float64
	inverse []float64
	givens  []rotation
	lost    []int
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
	resize(&c.diag, c.l.N)
	for i := range c.diag {
		c.diag[i] = c.inverseEntry(i)
	}
}

// Len returns the number n of points.
func (c *Cholesky) Len() int { return c.l.N }

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

// Reset removes all points and keeps the memory.
func (c *Cholesky) Reset() {
	c.l.Reset()
	c.diag = c.diag[:0]
}
