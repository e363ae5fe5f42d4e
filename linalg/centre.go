package linalg

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Centring holds the means of a Gram matrix, to centre the kernel values of new points.
type Centring struct {
	// Means holds the mean of each column of the Gram matrix, n numbers.
	Means []float64
	// Mean is the mean of the whole matrix.
	Mean float64
}

// CentreGram overwrites the n×n Gram matrix K of n points with
//
//	C·K·C,   C = I − 1·1ᵀ/n,
//
// the Gram matrix of the points relative to their mean in feature space:
//
//	K_ij − r_i − r_j + m,   r_i = mean of row i, m = mean of all.
//
// K must be exactly symmetric, and remains so. Elements have an absolute error of a few
// 2⁻⁵³·max|K|. O(n²) on at most workers goroutines. It panics if K is not square.
func CentreGram(gram *mat.Dense, workers int) Centring {
	k := gram.RawMatrix()
	n := k.Rows
	checkDims("K", k, n, n)
	if n == 0 {
		return Centring{}
	}
	means := make([]float64, n)
	compute.Parallel(n, workers, func(i int) { means[i] = mean(compute.Row(k, i)) })
	c := Centring{Means: means, Mean: mean(means)}
	compute.Parallel(n, workers, func(i int) {
		for j, x := range compute.Row(k, i) {
			k.Data[i*k.Stride+j] = x - (means[i] + means[j]) + c.Mean
		}
	})
	return c
}

// Cross overwrites the q×n kernel values K(Z, X) of new points Z and the n points X of the centred
// Gram matrix with their inner products relative to the mean of X:
//
//	K(z, x_j) − s − r_j + m,   s = mean_i K(z, x_i).
//
// Rows of X itself become the rows of the centred Gram matrix. O(q·n) on at most
// workers goroutines. It panics unless K has n columns.
func (c Centring) Cross(cross *mat.Dense, workers int) {
	k := cross.RawMatrix()
	checkDims("K", k, k.Rows, len(c.Means))
	if len(c.Means) == 0 {
		return
	}
	compute.Parallel(k.Rows, workers, func(i int) {
		row := compute.Row(k, i)
		s := mean(row)
		for j, x := range row {
			row[j] = x - (s + c.Means[j]) + c.Mean
		}
	})
}

// CentreColumns subtracts the mean of each column of an n×q matrix and returns the q means, which are
// zero for n = 0. O(n·q).
func CentreColumns(m *mat.Dense) []float64 {
	x := m.RawMatrix()
	means := make([]float64, x.Cols)
	if x.Rows == 0 {
		return means
	}
	// The second pass removes the rounding error of the first mean.
	for range 2 {
		step := make([]float64, x.Cols)
		for i := range x.Rows {
			floats.Add(step, compute.Row(x, i))
		}
		floats.Scale(1/float64(x.Rows), step)
		for i := range x.Rows {
			floats.Sub(compute.Row(x, i), step)
		}
		floats.Add(means, step)
	}
	return means
}

// mean returns the mean of x, which is not empty, to a few rounding errors of the differences in x.
func mean(x []float64) float64 {
	n := float64(len(x))
	m := floats.Sum(x) / n
	var rest float64
	for _, v := range x {
		rest += v - m
	}
	return m + rest/n
}
