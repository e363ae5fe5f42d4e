package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// outlierDistance is an outlier threshold: twelve median distances are eight standard deviations of normal noise.
	outlierDistance = 12
	// mostOutliers is the largest share of rows that may be outliers.
	mostOutliers = 0.1
)

// InlierRows returns the rows without outlying targets, for robust losses to compute their
// scales and for the kernel search. An outlier differs from the median of its column by more
// than twelve times the median of the positive differences. It returns nil for all rows,
// also if more than one in ten would be outliers. O(n·log n) per output.
func InlierRows(y compute.Matrix, w compute.Weights) []int {
	outlier := make([]bool, y.Rows)
	column := make([]float64, y.Rows)
	for o := range y.Cols {
		for i := range column {
			column[i] = compute.Row(y, i)[o]
		}
		middle := weightedMedian(column, w, func(float64) bool { return true })
		for i, v := range column {
			column[i] = math.Abs(v - middle)
		}
		most := outlierDistance * weightedMedian(column, w, func(v float64) bool { return v > 0 })
		for i, v := range column {
			outlier[i] = outlier[i] || v > most
		}
	}
	var inliers []int
	left := 0.0
	for i, out := range outlier {
		if out {
			left += w.At(i)
		} else {
			inliers = append(inliers, i)
		}
	}
	if left == 0 || left > mostOutliers*w.Total(y.Rows) {
		return nil
	}
	return inliers
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
