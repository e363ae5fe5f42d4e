package choose

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// wildAt is an outlier threshold: twelve median distances are eight standard deviations of normal noise.
	wildAt = 12
	// mostWild is the largest share of rows that may be outliers.
	mostWild = 0.1
)

// TameRows returns the rows without outlying targets, for robust losses to compute their
// scales and for the kernel search. An outlier differs from the median of its column by more
// than twelve times the median of the positive differences. It returns nil for all rows,
// also if more than one in ten would be outliers. O(n·log n) per output.
func TameRows(y compute.Matrix, w compute.Weights) []int {
	wild := make([]bool, y.Rows)
	column := make([]float64, y.Rows)
	for o := range y.Cols {
		for i := range column {
			column[i] = compute.Row(y, i)[o]
		}
		middle := weightedMedian(column, w, func(float64) bool { return true })
		for i, v := range column {
			column[i] = math.Abs(v - middle)
		}
		most := wildAt * weightedMedian(column, w, func(v float64) bool { return v > 0 })
		for i, v := range column {
			wild[i] = wild[i] || v > most
		}
	}
	var tame []int
	left := 0.0
	for i, out := range wild {
		if out {
			left += w.At(i)
		} else {
			tame = append(tame, i)
		}
	}
	if left == 0 || left > mostWild*w.Total(y.Rows) {
		return nil
	}
	return tame
}

// weightedMedian returns the weighted median of the numbers that satisfy counts, or 0 without such
// numbers.
func weightedMedian(v []float64, w compute.Weights, counts func(float64) bool) float64 {
	var order []int
	total := 0.0
	for i, x := range v {
		if counts(x) {
			order = append(order, i)
			total += w.At(i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	sum := 0.0
	for _, i := range order {
		if sum += w.At(i); 2*sum >= total {
			return v[i]
		}
	}
	return 0
}
