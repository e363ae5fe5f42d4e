package search

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Columns with few distinct values may be codes of categories, where differences
// between codes are meaningless. The search scores one-hot encoding as another scale.
const (
	fewestLevels = 3  // two values are an indicator already
	mostLevels   = 32 // per column
	rowsALevel   = 5  // minimum average in the sample
	mostEncoded  = 512
)

// categories returns the distinct values of each column of x that may hold codes, and
// nil for other columns. It returns nil if no column does, or if the encoding would have
// more than mostEncoded columns.
func categories(x compute.Matrix) [][]float64 {
	levels, any, width := make([][]float64, x.Cols), false, 0
	for j := range levels {
		width++
		l := fewValues(x, j, min(mostLevels, x.Rows/rowsALevel))
		if len(l) >= fewestLevels {
			levels[j], any = l, true
			width += len(l) - 1
		}
	}
	if !any || width > mostEncoded {
		return nil
	}
	return levels
}

// fewValues returns the sorted distinct values of a column, or nil if there are more than most.
func fewValues(x compute.Matrix, column, most int) (values []float64) {
	for i := range x.Rows {
		v := x.Data[i*x.Stride+column]
		at, found := slices.BinarySearch(values, v)
		if found {
			continue
		}
		if len(values) == most {
			return nil
		}
		values = slices.Insert(values, at, v)
	}
	return values
}

// encodedScales returns the scales of the encoded columns of x. All indicators of one
// code share a scale, so a code and a column with unit deviation contribute equally to
// distances. Other columns have their standard deviation.
func encodedScales(x compute.Matrix, levels [][]float64) (s columnScale) {
	own := scalesBy(x, deviation)
	for j, l := range levels {
		if len(l) == 0 {
			s = append(s, own[j])
			continue
		}
		shared := positive(math.Sqrt(1 - sameLevel(x, j, l)))
		for range l {
			s = append(s, shared)
		}
	}
	return s
}

// sameLevel returns the probability that two rows drawn at random have the same level.
func sameLevel(x compute.Matrix, column int, levels []float64) float64 {
	counts := make([]float64, len(levels))
	for i := range x.Rows {
		if at, ok := slices.BinarySearch(levels, x.Data[i*x.Stride+column]); ok {
			counts[at]++
		}
	}
	same, n := 0.0, float64(x.Rows)
	for _, c := range counts {
		same += float64(c/n) * float64(c/n)
	}
	return same
}
