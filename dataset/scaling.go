package dataset

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Scaling is a method to bring a table to one scale. All but UnitRows map each value v of column j
// to (v − Centre[j])/Scale[j] with statistics of the training rows:
//
//	           Centre   Scale
//	Standard   mean     standard deviation (of n, not n−1)
//	MinMax     minimum  maximum − minimum
//	Robust     median   interquartile range, or the standard deviation where that is 0
//	Uncentred  0        standard deviation
//
// UnitRows divides each row by its Euclidean length; rows of zeros remain. Only Uncentred and
// UnitRows keep sparse rows sparse. A constant column has Scale 1. The quantile p interpolates
// between the sorted values at (n−1)·p.
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

// Fit computes the scaler of the rows x, n×d. Fit another scaler to Set.Targets to scale targets.
//
// Errors are rkhs.ErrEmpty; rkhs.ErrNotFinite for a value that is not finite or a range that
// overflows; rkhs.ErrOption for an invalid s; rkhs.ErrMemory for Uncentred of more than 2²⁶ sparse
// columns. O(n·d), for Robust O(n·d·log n).
func (s Scaling) Fit(x mat.Matrix) (*Scaler, error) {
	f := &Scaler{Scaling: s}
	var err error
	if input.IsSparse(x) && (s == Uncentred || s == UnitRows) {
		err = f.fitSparse(x)
	} else {
		err = f.fitDense(x)
	}
	if err != nil {
		return nil, err
	}
	for j, v := range f.Scale {
		if c := f.Centre[j]; c-c != 0 || v-v != 0 {
			return nil, fmt.Errorf("dataset: %s: column %d has centre %v and scale %v: %w", s, j, c, v, rkhs.ErrNotFinite)
		}
		if v == 0 {
			f.Scale[j] = 1
		}
	}
	return f, nil
}

func (f *Scaler) fitDense(x mat.Matrix) error {
	rows, err := dense(f.Scaling.String(), "x", x)
	if err != nil {
		return err
	}
	switch f.Scaling {
	case Standard:
		f.Centre, f.Scale = moments(rows, nil)
	case Uncentred:
		f.Centre, f.Scale = moments(rows, nil)
		clear(f.Centre)
	case MinMax:
		f.Centre, f.Scale = bounds(rows)
	case Robust:
		f.Centre, f.Scale = quartiles(rows)
	case UnitRows:
	default:
		return fmt.Errorf("dataset: %s: no such scaling: %w", f.Scaling, rkhs.ErrOption)
	}
	return nil
}

// scaledColumns limits the sparse columns of a Scaler.
const scaledColumns = 1 << 26

func (f *Scaler) fitSparse(x mat.Matrix) error {
	rows, err := input.Points("dataset: "+f.Scaling.String(), "x", x)
	switch {
	case err != nil || f.Scaling == UnitRows:
		return err
	case rows.Cols > scaledColumns:
		return fmt.Errorf("dataset: %s: scales of %d columns, of %d at most: %w", f.Scaling, rows.Cols, scaledColumns, rkhs.ErrMemory)
	}
	f.Centre, f.Scale = make([]float64, rows.Cols), deviations(rows.Sparse)
	return nil
}

// moments returns the mean and standard deviation of each column, with optional weights. They are
// relative to the first row, so that the mean of a constant column is exact. Squares are in units
// of the largest deviation to prevent overflow.
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
				squares[j] += float64(weights.At(i) * e * e) // not fused
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

// quartiles returns the median and the interquartile range of each column, or its standard
// deviation where the range is 0.
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

// deviations returns the standard deviation of each column, computed about its mean in units of
// its largest element.
func deviations(x *compute.Sparse) []float64 {
	n := float64(x.Rows)
	largest, mean := make([]float64, x.Cols), make([]float64, x.Cols)
	squares, nonzero := make([]float64, x.Cols), make([]float64, x.Cols)
	each := func(do func(j int32, v float64)) {
		for i := range x.Rows {
			columns, values := x.Row(i)
			for k, j := range columns {
				if v := values[k]; v != 0 {
					do(j, v)
				}
			}
		}
	}
	each(func(j int32, v float64) { largest[j] = max(largest[j], math.Abs(v)) })
	each(func(j int32, v float64) { mean[j] += v / largest[j] / n })
	each(func(j int32, v float64) {
		d := v/largest[j] - mean[j]
		squares[j] += float64(d * d)
		nonzero[j]++
	})
	for j, m := range mean {
		squares[j] = largest[j] * math.Sqrt((squares[j]+float64((n-nonzero[j])*m*m))/n)
	}
	return squares
}
