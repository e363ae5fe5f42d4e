package main

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
)

// kernels returns Gaussian kernels for rows like those of x. A Gaussian depends
// on differences of rows alone, so dividing by the standard deviations inside
// the kernel does all that standardising the rows would.
func (c *config) kernels(x *mat.Dense) ([]kernel.Kernel, error) {
	rows := x
	var scales []float64
	if c.standardize {
		rows = mat.DenseCopyOf(x)
		scaler, err := dataset.Standardize(rows)
		if err != nil {
			return nil, err
		}
		scales = scaler.Scale
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
