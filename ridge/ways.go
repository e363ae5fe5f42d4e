package ridge

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// way is how a problem is solved.
type way uint8

const (
	factorising way = iota // a Cholesky factor of the matrix of all rows
	iterating              // conjugate gradients on the matrix of all rows
	onPoints               // fewer points than rows
)

const (
	// factorRows is the number of rows up to which the matrix is factorised.
	factorRows = 8000
	// exactRows is the number of rows up to which all of them are points.
	exactRows = 100000
)

// wayOf returns the way of n rows of d columns and q outputs.
func (o *Options) wayOf(n, d, q int) way {
	limit := float64(o.MemoryLimit)
	switch {
	case o.MaxPoints > 0 && o.MaxPoints < n:
		return onPoints
	case n <= factorRows && factorBytes(n, d, q) <= limit:
		return factorising
	case n <= exactRows && o.iterationBytes(n, d, q) <= limit:
		return iterating
	}
	return onPoints
}

// dataBytes is what the rows and the vectors of a solution take.
func dataBytes(n, d, q int) float64 { return 8 * float64(n) * float64(d+8*q+4) }

func factorBytes(n, d, q int) float64 {
	return dataBytes(n, d, q) + 8*float64(n)*float64(n+inversePanel)
}

// inversePanel is the number of columns of the inverse factor at a time.
const inversePanel = 256

// iterationBytes is what conjugate gradients need at least: the rows as they are, mapped,
// and packed for products, the functions of the centres, and the neighbours with their
// elements in two orders.
func (o *Options) iterationBytes(n, d, q int) float64 {
	c := o.preconditionerCentres(n, d)
	return dataBytes(3*n, d, q) + 8*float64(n)*float64(c+4*neighbours+scratchRows) + 32*float64(c)*float64(c)
}

// scratchRows is the number of rows of the matrix at a time where it is not kept.
const scratchRows = 512

// keptBytes is what half of the matrix takes.
func keptBytes(n int) float64 { return 4 * float64(n) * float64(n+scratchRows) }

// keeps tells whether half of the matrix fits beside what conjugate gradients need.
func (o *Options) keeps(n, d, q int) bool {
	return o.iterationBytes(n, d, q)+keptBytes(n) <= float64(o.MemoryLimit)
}

// mostPoints is the number of points by default beyond exactRows.
const mostPoints = 5000

// points returns how many of n rows are points where not all are: as many as are asked
// for, or by default as the memory allows.
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

// pointBytes is what a fit on points needs: their functions at the rows that they are drawn
// from, some matrices of their number squared, a thousand rows at a time, and the rows three
// times: as they are, without those held out, and mapped.
func pointBytes(n, d, q, points int) float64 {
	p := float64(points)
	return dataBytes(n, 3*d, q) + 8*p*(rowsPerPoint*p+4*p+float64(d+2*q+2*min(n, 1024)))
}

// fewestPoints is the number of points below which memory is too small for a fit, of as
// many rows.
const fewestPoints = 100

// searchMemory is what MemoryLimit leaves beside a copy of the rows.
func (o *Options) searchMemory(x compute.Points) int64 {
	return max(1, o.MemoryLimit-8*int64(x.Rows)*int64(x.PerRow()))
}

// checkMemory returns rkhs.ErrMemory if what a fit cannot do without is too large.
func (o *Options) checkMemory(n, d, q int) error {
	if o.wayOf(n, d, q) != onPoints {
		return nil
	}
	count := max(o.points(n, d, q), min(n, fewestPoints))
	if o.MaxPoints > 0 {
		count = o.MaxPoints
	}
	return door.Memory(pkg, fmt.Sprintf("%d rows and %d points", n, count), pointBytes(n, d, q, count), o.MemoryLimit)
}
