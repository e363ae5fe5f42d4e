package compute

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Weights are the weights of rows. Nil means that each row has weight 1.
type Weights []float64

// At returns the weight of a row.
func (w Weights) At(row int) float64 {
	if w == nil {
		return 1
	}
	return w[row]
}

// Total returns the total weight of n rows.
func (w Weights) Total(n int) float64 {
	if w == nil {
		return float64(n)
	}
	return floats.Sum(w)
}

// Least returns the smallest weight.
func (w Weights) Least() float64 {
	if w == nil {
		return 1
	}
	return slices.Min(w)
}

// Most returns the largest weight.
func (w Weights) Most() float64 {
	if w == nil {
		return 1
	}
	return slices.Max(w)
}

// Between returns the weights of rows [from, to); it shares the data of w.
func (w Weights) Between(from, to int) Weights {
	if w == nil {
		return nil
	}
	return w[from:to]
}

// Pick returns a copy of the weights of the rows with the given indices.
func (w Weights) Pick(rows []int) Weights {
	if w == nil {
		return nil
	}
	p := make(Weights, len(rows))
	for k, i := range rows {
		p[k] = w[i]
	}
	return p
}

// Scale multiplies each row of m by its weight.
func (w Weights) Scale(m Matrix) {
	for i, v := range w {
		floats.Scale(v, Row(m, i))
	}
}

// ScaleByRoots multiplies each row of m by the square root of its weight, so that inner
// products of its columns are weighted.
func (w Weights) ScaleByRoots(m Matrix) {
	for i, v := range w {
		floats.Scale(math.Sqrt(v), Row(m, i))
	}
}

// AddWeighedGram adds MᵀWM to the upper triangle of c, where W is the diagonal matrix of
// the weights w.
func AddWeighedGram(c, m Matrix, w Weights, workers int) {
	if w != nil {
		m = Clone(m)
		w.ScaleByRoots(m)
	}
	AddGram(c, m, workers)
}

// Dots returns Σ_i w_i·a_ij·b_ij for each column j.
func (w Weights) Dots(a, b Matrix) []float64 {
	if w == nil {
		return ColumnDots(a, b)
	}
	a = Clone(a)
	w.Scale(a)
	return ColumnDots(a, b)
}

// Means returns Σ_i w_i·m_ij/Σ_i w_i for each column j. m must have at least one row.
func (w Weights) Means(m Matrix) []float64 {
	means := make([]float64, m.Cols)
	for i := range m.Rows {
		floats.AddScaled(means, w.At(i), Row(m, i))
	}
	floats.Scale(1/w.Total(m.Rows), means)
	return means
}
