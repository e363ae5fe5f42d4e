package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// clip bounds the derivatives of a squared loss, which a single wrong target makes as large
// as it likes, to clipAt times their running mean absolute value, one for each output.
type clip struct{ scale []float64 }

const (
	// clipAt lies beyond what normal noise reaches in a lifetime; of noise of heavy tails a
	// few rows in a thousand are cut.
	clipAt = 12
	// clipRows is the number of rows over which the mean runs. A scale that has grown is
	// followed at clipAt/clipRows a row.
	clipRows = 200
)

// newClip starts from the spread of the targets, given by columns in ascending order.
func newClip(s *settings, columns compute.Matrix) (c clip) {
	if !loss.Quadratic(s.Loss) || s.Rate > 0 {
		return c
	}
	for o := range columns.Rows {
		c.scale = append(c.scale, robustSpread(compute.Row(columns, o)))
	}
	return c
}

// cut returns a sample whose targets, given by columns in ascending order too, are cut
// to so far from their median: for the search, which squares them as well.
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

// apply cuts the derivatives of a batch.
func (c *clip) apply(g compute.Matrix) {
	for i := range g.Rows {
		row := compute.Row(g, i)
		for o, scale := range c.scale {
			most := clipAt * scale
			row[o] = max(-most, min(most, row[o]))
		}
	}
}

// follow moves the scales to derivatives that were cut.
func (c *clip) follow(g compute.Matrix) {
	for i := range g.Rows {
		for o, scale := range c.scale {
			c.scale[o] += (math.Abs(compute.Row(g, i)[o]) - scale) / clipRows
		}
	}
}

// robustSpread returns the median distance of numbers, in ascending order, from their
// median. Where that is zero it is the mean distance, and 1 where that is too.
func robustSpread(sorted []float64) float64 {
	n := len(sorted)
	middle := sorted[n/2]
	// The n/2+1 numbers that are closest to the median are neighbours.
	least := math.Inf(1)
	for from := 0; from+n/2 < n; from++ {
		least = min(least, max(middle-sorted[from], sorted[from+n/2]-middle))
	}
	if least > 0 {
		return least
	}
	return spread(compute.RowOf(sorted))
}
