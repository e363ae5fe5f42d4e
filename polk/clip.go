package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// clip bounds the derivatives of a squared loss to clipAt times their running mean absolute
// value, per output, so that a single wrong target has bounded influence.
type clip struct{ scale []float64 }

const (
	// clipAt exceeds normal noise. Heavy-tailed noise is clipped in a few rows per thousand.
	clipAt = 12
	// clipRows is the number of rows of the running mean.
	clipRows = 200
)

// newClip starts from the spread of sorted columns of targets.
func newClip(s *settings, columns compute.Matrix) (c clip) {
	if !loss.Quadratic(s.Loss) || s.Rate > 0 {
		return c
	}
	for o := range columns.Rows {
		c.scale = append(c.scale, robustSpread(compute.Row(columns, o)))
	}
	return c
}

// cut clips the targets of a sample around their medians, given its sorted columns.
func (c *clip) cut(sample batch, columns compute.Matrix) batch {
	if c.scale == nil {
		return sample
	}
	sample.y = compute.Clone(sample.y)
	for o, scale := range c.scale {
		middle := compute.Row(columns, o)[columns.Cols/2]
		for i := range sample.y.Rows {
			y := compute.Row(sample.y, i)
			y[o] = max(middle-clipAt*scale, min(middle+clipAt*scale, y[o]))
		}
	}
	return sample
}

// apply clips the derivatives of a batch.
func (c *clip) apply(g compute.Matrix) {
	for i := range g.Rows {
		row := compute.Row(g, i)
		for o, scale := range c.scale {
			most := clipAt * scale
			row[o] = max(-most, min(most, row[o]))
		}
	}
}

// follow updates the scales with clipped derivatives.
func (c *clip) follow(g compute.Matrix) {
	for i := range g.Rows {
		for o, scale := range c.scale {
			c.scale[o] += (math.Abs(compute.Row(g, i)[o]) - scale) / clipRows
		}
	}
}

// robustSpread returns the median absolute deviation of sorted numbers, or if it is zero the
// mean absolute deviation, or 1.
func robustSpread(sorted []float64) float64 {
	n := len(sorted)
	middle := sorted[n/2]
	// The n/2+1 numbers closest to the median are contiguous.
	least := math.Inf(1)
	for from := 0; from+n/2 < n; from++ {
		least = min(least, max(middle-sorted[from], sorted[from+n/2]-middle))
	}
	if least > 0 {
		return least
	}
	return spread(compute.RowOf(sorted))
}
