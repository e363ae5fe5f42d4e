package search

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// unlike is the ratio between column spreads above which columns are assumed to have
	// unrelated units. Word counts and spatial coordinates, which share a unit, stay below it.
	unlike = 1000
	// manyColumns is the number of columns from which unlikeScales compares the quartiles
	// of the spreads: some columns, such as border pixels, are nearly constant.
	manyColumns = 16
	// spreadRows is the number of rows used to estimate spreads.
	spreadRows = 1000
)

// unlikeScales returns the standard deviations of the columns of x and a scaled sample of
// its rows if the columns have unrelated units, and nil otherwise. Units are unrelated if
// the spreads of columns, from the 5 % to the 95 % quantile, differ by more than a factor of
// 1000. With many columns it compares the quartiles of the spreads. It ignores columns with
// zero spread.
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
