package linalg

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Cholesky is the factor L of K + jitter·I = L·Lᵀ for the Gram matrix K of a changing set of points.
// Append and AppendBatch add points at the end, and Delete removes any point. With TrackInverseDiag
// it also keeps the diagonal of the inverse
//
//	G = (K + jitter·I)⁻¹.
//
// The removal of point j with a refit of the other weights reduces the squared norm of a function with
// weights w by w_j²/G_jj.
//
// Every operation is backward stable: L·Lᵀ = K + jitter·I holds to rounding after any number of
// updates without refactorization.
//
// Memory is n²/2 + 4n numbers. With a constant number of points it does not allocate. A Cholesky is
// not safe for concurrent use, not even for solving.
type Cholesky struct {
	jitter  float64
	l       compute.Lower
	tracked bool
	diag    []float64

	column    []float64
	inverse   []float64
	givens    []rotation
	cancelled []int
	batch     []float64
	rhs       []float64
}

// NewCholesky returns the factor of an empty matrix. It panics if the jitter is negative or not
// finite.
func NewCholesky(jitter float64) *Cholesky {
	if !(jitter >= 0) || math.IsInf(jitter, 1) {
		panic(fmt.Sprintf("linalg: jitter is %v, want a finite number ≥ 0", jitter))
	}
	return &Cholesky{jitter: jitter}
}

// TrackInverseDiag computes the diagonal of the inverse in O(n³/3) and enables tracking, for which
// Append and Delete need another O(n²). A second call computes the diagonal again.
func (c *Cholesky) TrackInverseDiag() {
	c.tracked = true
	resize(&c.diag, c.l.N)
	for i := range c.diag {
		c.diag[i] = c.inverseEntry(i)
	}
}

// Len returns the number n of points.
func (c *Cholesky) Len() int { return c.l.N }

// Jitter returns the constant added to the diagonal.
func (c *Cholesky) Jitter() float64 { return c.jitter }

// InverseDiag returns the diagonal of G, of length n. It is a read-only view, valid until the next
// update. It panics unless TrackInverseDiag was called.
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
