package ridge

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/door"
)

// solver is the method that solves a problem.
type solver uint8

const (
	factorising solver = iota // a Cholesky factor of the matrix of all rows
	iterating                 // conjugate gradients on the matrix of all rows
	onPoints                  // conjugate gradients on landmarks
)

const (
	factorRows   = 8000   // largest number of rows to factorise
	exactRows    = 100000 // largest number of rows that are all points
	mostPoints   = 5000   // default number of landmarks
	fewestPoints = 100    // least default number of landmarks
	inversePanel = 256    // columns of the inverse factor at a time
	scratchRows  = 512    // rows of the matrix at a time
)

// solverOf returns the solver for n rows of d columns and q outputs.
func (o *Options) solverOf(n, d, q int) solver {
	limit := float64(o.MemoryLimit)
	switch {
	case o.MaxPoints > 0 && o.MaxPoints < n:
		return onPoints
	case n <= factorRows && dataBytes(n, d, q)+8*float64(n)*float64(n+inversePanel) <= limit:
		return factorising
	case n <= exactRows && o.iterationBytes(n, d, q) <= limit:
		return iterating
	}
	return onPoints
}

// dataBytes returns the memory of the rows and of the vectors of a solution.
func dataBytes(n, d, q int) float64 { return 8 * float64(n) * float64(d+8*q+4) }

// iterationBytes returns the least memory of conjugate gradients: the rows in three forms, the
// functions of the landmarks, and the neighbours with their elements in two orders.
func (o *Options) iterationBytes(n, d, q int) float64 {
	c := o.preconditionerLandmarks(n, d)
	return dataBytes(3*n, d, q) + 8*float64(n)*float64(c+4*neighbours+scratchRows) + 32*float64(c)*float64(c)
}

// keeps reports whether conjugate gradients can store half of the matrix.
func (o *Options) keeps(n, d, q int) bool {
	half := 4 * float64(n) * float64(n+scratchRows)
	return o.iterationBytes(n, d, q)+half <= float64(o.MemoryLimit)
}

// points returns the number of landmarks for n rows, by default as many as the memory allows.
func (o *Options) points(n, d, q int) int {
	if o.MaxPoints > 0 {
		return o.MaxPoints
	}
	count := min(mostPoints, n)
	for count > 1 && pointBytes(n, d, q, count) > float64(o.MemoryLimit) {
		count -= (count + 9) / 10
	}
	return count
}

// pointBytes returns the memory of a fit on landmarks: their functions at the rows that they are
// drawn from, some square matrices, a thousand rows at a time, and the rows in three forms.
func pointBytes(n, d, q, points int) float64 {
	p := float64(points)
	return dataBytes(n, 3*d, q) + 8*p*(rowsPerPoint*p+4*p+float64(d+2*q+2*min(n, 1024)))
}

// checkMemory returns rkhs.ErrMemory if the least memory of a fit is above the limit.
func (o *Options) checkMemory(n, d, q int) error {
	if o.solverOf(n, d, q) != onPoints {
		return nil
	}
	count := o.MaxPoints
	if count == 0 {
		count = max(o.points(n, d, q), min(n, fewestPoints))
	}
	return door.Memory(pkg, fmt.Sprintf("%d rows and %d points", n, count), pointBytes(n, d, q, count), o.MemoryLimit)
}
