package choose

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// unlike is the ratio between the spreads of columns from which on their units are
	// taken to have nothing to do with each other. The pixels of an image, in 256 grades,
	// counts of words and coordinates in space, which have one unit, stay below.
	unlike = 1000
	// spreadRows is the number of rows that spreads are judged by.
	spreadRows = 1000
)

// unlikeScales returns the standard deviations of the columns of x, and a sample of its
// rows in units of them, or nil where the rows can be compared as they are given: where
// the spreads of columns, from the 5 % to the 95 % quantile, differ by a factor of 1000 at
// most. Columns in which nine rows of ten are equal are none to judge by.
func unlikeScales(x compute.Matrix, seed uint64) (columnScale, compute.Matrix) {
	sample := compute.Pick(x, rng.New(seed, "choose spread", 0).Sample(x.Rows, min(x.Rows, spreadRows)))
	least, most := math.Inf(1), 0.0
	for j := range x.Cols {
		v := sortedColumn(sample, j)
		if spread := v[19*(len(v)-1)/20] - v[(len(v)-1)/20]; spread > 0 {
			least, most = min(least, spread), max(most, spread)
		}
	}
	if most/unlike <= least {
		return nil, sample
	}
	s := scalesBy(sample, deviation)
	return s, s.apply(sample)
}
