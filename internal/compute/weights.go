package compute

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Weights are those of rows; nil stands for one for each.
type Weights []float64

// At returns that of a row.
func (w Weights) At(row int) float64 {
	if w == nil {
		return 1
	}
	return w[row]
}

// Total returns the sum of those of n rows.
func (w Weights) Total(n int) float64 {
	if w == nil {
		return float64(n)
	}
	return floats.Sum(w)
}

// Least and Most return the smallest and the largest.
func (w Weights) Least() float64 {
	if w == nil {
		return 1
	}
	return slices.Min(w)
}

func (w Weights) Most() float64 {
	if w == nil {
		return 1
	}
	return slices.Max(w)
}

// Between returns those of rows [from, to), shared.
func (w Weights) Between(from, to int) Weights {
	if w == nil {
		return nil
	}
	return w[from:to]
}

// Pick returns those of the listed rows, a copy.
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

// Scale multiplies the rows of m, one for each weight.
func (w Weights) Scale(m Matrix) {
	for i, v := range w {
		floats.Scale(v, Row(m, i))
	}
}

// ScaleByRoots multiplies rows by the roots of their weights, so that inner products of
// columns are those with the weights.
func (w Weights) ScaleByRoots(m Matrix) {
	for i, v := range w {
		floats.Scale(math.Sqrt(v), Row(m, i))
	}
}

// AddWeighedGram adds MᵀM to the upper triangle of c, or MᵀWM with weights of the rows.
func AddWeighedGram(c, m Matrix, w Weights, workers int) {
	if w != nil {
		m = Clone(m)
		w.ScaleByRoots(m)
	}
	AddGram(c, m, workers)
}

// Dots returns Σ_i w_i·a_ij·b_ij of each column.
func (w Weights) Dots(a, b Matrix) []float64 {
	if w == nil {
		return ColumnDots(a, b)
	}
	a = Clone(a)
	w.Scale(a)
	return ColumnDots(a, b)
}

// Means returns Σ_i w_i·m_ij/Σ_i w_i of each column, of at least one row.
func (w Weights) Means(m Matrix) []float64 {
	means := make([]float64, m.Cols)
	for i := range m.Rows {
		floats.AddScaled(means, w.At(i), Row(m, i))
	}
	floats.Scale(1/w.Total(m.Rows), means)
	return means
}
