package dataset

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Scaling is a way to bring a table to one scale. Those of columns map each value
// v of column j to (v − Centre[j])/Scale[j], where both are measured on the rows
// to train on:
//
//	            Centre    Scale
//	Standard    mean      standard deviation (of n, not n−1)
//	MinMax      minimum   maximum − minimum: training rows come to lie in [0, 1]
//	Robust      median    interquartile range: outliers move neither
//
// UnitRows divides each row by its Euclidean length; rows of zeros remain. Uncentred has the
// Scale of Standard and the Centre 0, so that zeros stay zeros: it and UnitRows are those for
// sparse rows.
//
// A constant column has Scale 1, so that it becomes exactly 0. One that is not
// constant, but of which so many values are equal that the interquartile range is
// 0, has its standard deviation as Scale in Robust. Quartiles interpolate between
// the sorted values: the quantile p lies at (n−1)·p, counted from 0.
type Scaling uint8

const (
	Standard Scaling = iota
	MinMax
	Robust
	UnitRows
	Uncentred
)

var scalingNames = [...]string{"Standard", "MinMax", "Robust", "UnitRows", "Uncentred"}

// String returns the name of the constant.
func (s Scaling) String() string {
	if int(s) < len(scalingNames) {
		return scalingNames[s]
	}
	return fmt.Sprintf("Scaling(%d)", uint8(s))
}

// Fit measures the rows of x, n×d, and leaves them as they are; see Scaler.Apply.
// Fit targets as well, by Set.Targets, to learn on one scale and predict on the
// other.
//
// The errors are rkhs.ErrEmpty, rkhs.ErrNotFinite for a value that is not finite
// or a column too wide for float64, and rkhs.ErrOption if s is none of the
// constants. O(n·d), for Robust O(n·d·log n). Sparse rows stay sparse for Uncentred and
// UnitRows.
func (s Scaling) Fit(x mat.Matrix) (*Scaler, error) {
	if door.IsSparse(x) && (s == Uncentred || s == UnitRows) {
		return s.fitSparse(x)
	}
	rows, err := dense(s.String(), "x", x)
	if err != nil {
		return nil, err
	}
	f := &Scaler{Scaling: s}
	if err := f.fit(rows); err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", s, err)
	}
	return f, nil
}

func (f *Scaler) fit(x *mat.Dense) error {
	switch f.Scaling {
	case Standard:
		f.Centre, f.Scale = moments(x, nil)
	case Uncentred:
		f.Centre, f.Scale = moments(x, nil)
		clear(f.Centre)
	case MinMax:
		f.Centre, f.Scale = bounds(x)
	case Robust:
		f.Centre, f.Scale = quartiles(x)
	case UnitRows:
	default:
		return fmt.Errorf("no such scaling: %w", rkhs.ErrOption)
	}
	return f.checkRange()
}

// checkRange refuses columns too wide for float64, and gives those that are constant the scale 1.
func (f *Scaler) checkRange() error {
	for j, v := range f.Scale {
		if c := f.Centre[j]; c-c != 0 || v-v != 0 {
			return fmt.Errorf("column %d has centre %v and scale %v: %w", j, c, v, rkhs.ErrNotFinite)
		}
		if v == 0 {
			f.Scale[j] = 1
		}
	}
	return nil
}

// moments returns mean and standard deviation of each column. They are measured
// from its first row, which makes the mean of a constant column exact and an
// offset harmless, and in units of the largest deviation, which keeps the squares
// in range. Rows count by their weights, or alike.
func moments(x *mat.Dense, weights compute.Weights) (mean, deviation []float64) {
	n, d := x.Dims()
	total := weights.Total(n)
	first := x.RawRowView(0)
	shift, largest, squares := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			shift[j] += weights.At(i) * (v - first[j]) / total
			largest[j] = max(largest[j], math.Abs(v-first[j]))
		}
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if largest[j] > 0 {
				e := (v - first[j] - shift[j]) / largest[j]
				squares[j] += float64(weights.At(i) * e * e) // not fused: the same bits on every machine
			}
		}
	}
	mean, deviation = make([]float64, d), make([]float64, d)
	for j := range d {
		mean[j] = first[j] + shift[j]
		deviation[j] = largest[j] * math.Sqrt(squares[j]/total)
	}
	return mean, deviation
}

// bounds returns the minimum and the range of each column.
func bounds(x *mat.Dense) (least, width []float64) {
	n, _ := x.Dims()
	least, width = slices.Clone(x.RawRowView(0)), slices.Clone(x.RawRowView(0))
	for i := range n {
		for j, v := range x.RawRowView(i) {
			least[j], width[j] = min(least[j], v), max(width[j], v)
		}
	}
	for j, v := range least {
		width[j] -= v
	}
	return least, width
}

// quartiles returns the median and the interquartile range of each column, or its
// standard deviation where that is 0.
func quartiles(x *mat.Dense) (median, width []float64) {
	n, d := x.Dims()
	median, width = make([]float64, d), make([]float64, d)
	column := make([]float64, n)
	for j := range d {
		mat.Col(column, j, x)
		slices.Sort(column)
		median[j] = quantile(column, 0.5)
		width[j] = quantile(column, 0.75) - quantile(column, 0.25)
	}
	if slices.Contains(width, 0) {
		_, deviation := moments(x, nil)
		for j, v := range width {
			if v == 0 {
				width[j] = deviation[j]
			}
		}
	}
	return median, width
}

// quantile returns the quantile p < 1 of ascending values.
func quantile(sorted []float64, p float64) float64 {
	at := float64(len(sorted)-1) * p
	i := int(at)
	low, high := sorted[i], sorted[min(i+1, len(sorted)-1)]
	return low + float64((high-low)*(at-float64(i)))
}

// scaledColumns bounds the columns of which a Scaler holds the scales.
const scaledColumns = 1 << 26

func (s Scaling) fitSparse(x mat.Matrix) (*Scaler, error) {
	rows, err := door.Points("dataset: "+s.String(), "x", x)
	if err != nil {
		return nil, err
	}
	f := &Scaler{Scaling: s}
	if s == UnitRows {
		return f, nil
	}
	if rows.Cols > scaledColumns {
		return nil, fmt.Errorf("dataset: %s: scales of %d columns, of %d at most: %w", s, rows.Cols, scaledColumns, rkhs.ErrMemory)
	}
	f.Centre, f.Scale = make([]float64, rows.Cols), deviations(rows.Sparse)
	if err := f.checkRange(); err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", s, err)
	}
	return f, nil
}

// deviations returns the standard deviation of each column, whose squares are summed about its
// mean, in units of the largest element.
func deviations(x *compute.Sparse) []float64 {
	n := float64(x.Rows)
	largest, mean, squares, listed := make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols)
	each := func(do func(j int32, v float64)) {
		for i := range x.Rows {
			columns, values := x.Row(i)
			for k, j := range columns {
				do(j, values[k])
			}
		}
	}
	each(func(j int32, v float64) { largest[j] = max(largest[j], math.Abs(v)) })
	each(func(j int32, v float64) {
		if v != 0 {
			mean[j] += v / largest[j] / n
		}
	})
	each(func(j int32, v float64) {
		if v != 0 {
			d := v/largest[j] - mean[j]
			squares[j] += float64(d * d)
			listed[j]++
		}
	})
	for j, m := range mean {
		squares[j] = largest[j] * math.Sqrt((squares[j]+float64((n-listed[j])*m*m))/n)
	}
	return squares
}
