package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// centre subtracts the mean of each column, of rows that count by their weights or alike, and
// returns the means. It measures from the first row, so that the mean of a constant column
// is exact: what is left of one by rounding would be taken for something to learn.
func centre(m compute.Matrix, weights []float64, workers int) []float64 {
	const strip = 128
	mean := make([]float64, m.Cols)
	compute.Parallel((m.Cols+strip-1)/strip, workers, func(i int) {
		from, to := i*strip, min(i*strip+strip, m.Cols)
		centreStrip(compute.Columns(m, from, to), weights, mean[from:to])
	})
	return mean
}

func centreStrip(m compute.Matrix, weights, mean []float64) {
	first := slices.Clone(compute.Row(m, 0))
	for i := range m.Rows {
		r := compute.RowVector(m, i)
		blas64.Axpy(-1, compute.Vector(first), r)
		blas64.Axpy(weightOf(weights, i), r, compute.Vector(mean))
	}
	blas64.Scal(1/totalOf(weights, m.Rows), compute.Vector(mean))
	for i := range m.Rows {
		blas64.Axpy(-1, compute.Vector(mean), compute.RowVector(m, i))
	}
	blas64.Axpy(1, compute.Vector(first), compute.Vector(mean))
}

// byRoots multiplies rows by the roots of their weights, so that inner products of columns
// are those with the weights.
func byRoots(m compute.Matrix, weights []float64) {
	for i, w := range weights {
		floats.Scale(math.Sqrt(w), compute.Row(m, i))
	}
}

// weightOf returns the weight of a row, 1 without weights.
func weightOf(weights []float64, row int) float64 {
	if weights == nil {
		return 1
	}
	return weights[row]
}

// totalOf returns the sum of the weights of n rows.
func totalOf(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	return floats.Sum(weights)
}

// between returns the weights of rows [from, to), or nil without weights.
func between(weights []float64, from, to int) []float64 {
	if weights == nil {
		return nil
	}
	return weights[from:to]
}

// inOrder returns the weights of rows in an order, or nil without weights.
func inOrder(weights []float64, order []int) []float64 {
	if weights == nil {
		return nil
	}
	w := make([]float64, len(order))
	for k, i := range order {
		w[k] = weights[i]
	}
	return w
}
