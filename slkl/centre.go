package slkl

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// centre subtracts the mean of each column, of rows that count by their weights or alike, and
// returns the means. It measures from the first row, so that the mean of a constant column
// is exact: what is left of one by rounding would be taken for something to learn.
func centre(m compute.Matrix, weights compute.Weights, workers int) []float64 {
	const strip = 128
	mean := make([]float64, m.Cols)
	compute.Parallel((m.Cols+strip-1)/strip, workers, func(i int) {
		from, to := i*strip, min(i*strip+strip, m.Cols)
		centreStrip(compute.Columns(m, from, to), weights, mean[from:to])
	})
	return mean
}

func centreStrip(m compute.Matrix, weights compute.Weights, mean []float64) {
	first := slices.Clone(compute.Row(m, 0))
	for i := range m.Rows {
		r := compute.RowVector(m, i)
		blas64.Axpy(-1, compute.Vector(first), r)
		blas64.Axpy(weights.At(i), r, compute.Vector(mean))
	}
	blas64.Scal(1/weights.Total(m.Rows), compute.Vector(mean))
	for i := range m.Rows {
		blas64.Axpy(-1, compute.Vector(mean), compute.RowVector(m, i))
	}
	blas64.Axpy(1, compute.Vector(first), compute.Vector(mean))
}
