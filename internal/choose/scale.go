package choose

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// columnScale is what the columns are divided by; nil divides by nothing.
type columnScale []float64

// alike is the ratio between the largest and the smallest scale up to which scales
// change no more than their sample does.
const alike = 1.2

// columnScales returns the ways to bring the columns of x to one scale, in the order in
// which they are preferred: the standard deviation, none, and the interquartile range in
// units of that of a normal column. Ways that change little are left out.
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

// RobustScales returns the interquartile range of each column in units of that of a normal
// one, of a column of two values their difference, and 1 of a constant one.
func RobustScales(x compute.Matrix) []float64 { return scalesBy(x, robust) }

func scalesBy(x compute.Matrix, of func(sorted []float64) float64) columnScale {
	s := make(columnScale, x.Cols)
	for j := range s {
		s[j] = positive(of(sortedColumn(x, j)))
	}
	return s
}

// alike reports whether both scales differ by nearly one factor.
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

// positive returns v, or 1 where v is no scale: of a constant column, or out of range.
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

// deviation returns the standard deviation, of values in the unit of their range lest
// squares overflow.
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

// robust returns the interquartile range over that of the normal distribution. A
// column of two values is taken by their difference, one with most of its values equal
// by its deviation.
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
