package main

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/kernel"
)

// kernels returns Gaussian kernels for rows like those of x. A Gaussian depends
// on differences of rows alone, so dividing by the standard deviations inside
// the kernel does all that standardising the rows would.
func (c *config) kernels(x *mat.Dense) ([]kernel.Kernel, error) {
	rows := mat.Matrix(x)
	var scales []float64
	if c.standardize {
		scales = deviations(x)
		rows = scaled{x, scales}
	}
	median, err := kernel.MedianDistance(rows, c.seed)
	if err != nil {
		return nil, err
	}
	var list []kernel.Kernel
	for _, b := range c.bandwidths {
		var k kernel.Kernel = kernel.Gaussian{Sigma: b * median}
		if c.standardize {
			k = kernel.ARD{Scales: scales, Of: k}
		}
		list = append(list, k)
	}
	return list, nil
}

// deviations returns the standard deviation of each column, 1 for a constant
// column.
func deviations(x *mat.Dense) []float64 {
	n, d := x.Dims()
	column, out := make([]float64, n), make([]float64, d)
	for j := range out {
		out[j] = stat.PopStdDev(mat.Col(column, j, x), nil)
		if out[j] == 0 {
			out[j] = 1
		}
	}
	return out
}

// scaled is a view of rows whose columns are divided by scales. It does not
// embed them, as it must not offer their raw elements.
type scaled struct {
	rows   *mat.Dense
	scales []float64
}

func (s scaled) Dims() (r, c int) { return s.rows.Dims() }

func (s scaled) At(i, j int) float64 { return s.rows.At(i, j) / s.scales[j] }

func (s scaled) T() mat.Matrix { return mat.Transpose{Matrix: s} }
