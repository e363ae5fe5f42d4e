package choose

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// unlike is the ratio between the spreads of columns from which on their units are
	// taken to have nothing to do with each other. Counts of words and coordinates in space,
	// which have one unit, stay below.
	unlike = 1000
	// manyColumns is the number of columns from which on the quartiles of their spreads are
	// compared: of the pixels of an image some hardly ever change.
	manyColumns = 16
	// spreadRows is the number of rows that spreads are judged by.
	spreadRows = 1000
)

// unlikeScales returns the standard deviations of the columns of x, and a sample of its
// rows in units of them, or nil where the rows can be compared as they are given: where
// the spreads of columns, from the 5 % to the 95 % quantile, differ by a factor of 1000 at
// most, or the quartiles of these where there are many columns. Columns in which nine rows of ten are equal are none to judge by.
func unlikeScales(x compute.Matrix, seed uint64) (columnScale, compute.Matrix) {
	sample := compute.Pick(x, rng.New(seed, "choose spread", 0).Sample(x.Rows, min(x.Rows, spreadRows)))
	var spreads []float64
	for j := range x.Cols {
		v := sortedColumn(sample, j)
		if spread := v[19*(len(v)-1)/20] - v[(len(v)-1)/20]; spread > 0 {
			spreads = append(spreads, spread)
		}
	}
	slices.Sort(spreads)
	first, last := 0, len(spreads)-1
	if len(spreads) >= manyColumns {
		first, last = len(spreads)/4, last-len(spreads)/4
	}
	if last < 0 || spreads[last]/unlike <= spreads[first] {
		return nil, sample
	}
	s := scalesBy(sample, deviation)
	return s, s.apply(sample)
}
