package linalg

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// State returns copies of the state of the factor: the number n of points, the n(n+1)/2 numbers of L by
// rows, and the tracked diagonal of the inverse or nil. RestoreCholesky continues from it bit for bit.
func (c *Cholesky) State() (n int, rows, inverseDiag []float64) {
	if c.tracked {
		inverseDiag = append([]float64{}, c.diag...)
	}
	return c.l.N, c.l.Packed(), inverseDiag
}

// RestoreCholesky returns the factor with the given jitter and a copy of the state. It tracks the
// diagonal of the inverse if inverseDiag is not nil. Errors wrap rkhs.ErrFormat: an invalid jitter or
// length, a number that is not finite, a diagonal element that is not positive.
func RestoreCholesky(jitter float64, n int, rows, inverseDiag []float64) (*Cholesky, error) {
	if !(jitter >= 0) || math.IsInf(jitter, 1) {
		return nil, fmt.Errorf("linalg: %w: jitter of a Cholesky factor is %v", rkhs.ErrFormat, jitter)
	}
	// n(n+1)/2 would overflow for a forged n; len(rows) bounds n first.
	if n < 0 || n > len(rows) || len(rows) != n*(n+1)/2 {
		return nil, fmt.Errorf("linalg: %w: Cholesky factor of %d points has %d numbers", rkhs.ErrFormat, n, len(rows))
	}
	if inverseDiag != nil && len(inverseDiag) != n {
		return nil, fmt.Errorf("linalg: %w: inverse diagonal of %d points has %d numbers", rkhs.ErrFormat, n, len(inverseDiag))
	}
	c := &Cholesky{
		jitter:  jitter,
		l:       compute.LowerOf(n, rows),
		tracked: inverseDiag != nil,
		diag:    slices.Clone(inverseDiag),
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// check returns an error for a number that no update can produce.
func (c *Cholesky) check() error {
	for i := range c.l.N {
		row := c.l.Row(i)
		for j, x := range row {
			if x-x != 0 || (i == j && x <= 0) {
				return fmt.Errorf("linalg: %w: Cholesky factor has %v at row %d, column %d", rkhs.ErrFormat, x, i, j)
			}
		}
	}
	for i, x := range c.diag {
		if x-x != 0 || x <= 0 {
			return fmt.Errorf("linalg: %w: inverse diagonal has %v at %d", rkhs.ErrFormat, x, i)
		}
	}
	return nil
}
