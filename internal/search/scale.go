package search

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// columnScale holds the divisors of the columns; nil means no scaling.
type columnScale []float64

// alike is the ratio between the largest and the smallest scale up to which scaling has no
// more effect than sampling error.
const alike = 1.2

// columnScales returns column scales to compare, in order of preference: the standard
// deviation, no scaling, and the interquartile range relative to the normal distribution.
// It omits scales that differ little from a preferred one.
func columnScales(x compute.Matrix) []columnScale {
	standard, given, quartiles := scalesBy(x, deviation), columnScale(nil), scalesBy(x, robust)
	all := []columnScale{standard, given}
	if standard.alike(given) {
		all = all[1:]
	}
	if !slices.ContainsFunc(all, quartiles.alike) {
		all = append(all, quartiles)
	}
	return all
}

// RobustScales returns the interquartile range of each column relative to the normal
// distribution. For a column of two values it returns their difference, and for a constant
// column 1.
func RobustScales(x compute.Matrix) []float64 { return scalesBy(x, robust) }

func scalesBy(x compute.Matrix, of func(sorted []float64) float64) columnScale {
	s := make(columnScale, x.Cols)
	for j := range s {
		s[j] = positive(of(sortedColumn(x, j)))
	}
	return s
}

// alike reports whether two scales are nearly proportional.
func (s columnScale) alike(t columnScale) bool {
	least, most := math.Inf(1), 0.0
	for j, v := range s {
		if t != nil {
			v /= t[j]
		}
		least, most = min(least, v), max(most, v)
	}
	return most <= alike*least
}

// apply returns x with its columns divided by the scales.
func (s columnScale) apply(x compute.Matrix) compute.Matrix {
	if s == nil {
		return x
	}
	y := compute.Clone(x)
	for i := range y.Rows {
		for j, v := range compute.Row(y, i) {
			compute.Row(y, i)[j] = v / s[j]
		}
	}
	return y
}

// applySparse is apply for sparse rows.
func (s columnScale) applySparse(x compute.Points) compute.Points {
	if s == nil {
		return x
	}
	y, _ := gram.Division(s).EmbedSparse(x.Sparse, 1)
	return y
}

// positive returns v, or 1 if v is zero or out of range.
func positive(v float64) float64 {
	if v > 1e-150 && v < 1e150 {
		return v
	}
	return 1
}

func sortedColumn(x compute.Matrix, j int) []float64 {
	v := make([]float64, x.Rows)
	for i := range v {
		v[i] = x.Data[i*x.Stride+j]
	}
	slices.Sort(v)
	return v
}

// deviation returns the standard deviation of sorted values. It divides by half the range
// first to avoid overflow.
func deviation(v []float64) float64 {
	unit := v[len(v)-1]/2 - v[0]/2
	if unit == 0 {
		return 0
	}
	mean, square := 0.0, 0.0
	for _, t := range v {
		mean += (t - v[0]) / unit / float64(len(v))
	}
	for _, t := range v {
		d := (t-v[0])/unit - mean
		square += float64(d * d)
	}
	return unit * math.Sqrt(square/float64(len(v)))
}

// robust returns the interquartile range of sorted values relative to the normal
// distribution. It returns the difference for two values, and the standard deviation if
// the range is zero.
func robust(v []float64) float64 {
	n := len(v)
	if r := v[3*(n-1)/4] - v[(n-1)/4]; r > 0 && !twoValued(v) {
		return r / 1.349
	}
	if twoValued(v) {
		return v[n-1] - v[0]
	}
	return deviation(v)
}

func twoValued(sorted []float64) bool {
	at, _ := slices.BinarySearch(sorted, math.Nextafter(sorted[0], math.Inf(1)))
	return at == len(sorted) || sorted[at] == sorted[len(sorted)-1]
}
