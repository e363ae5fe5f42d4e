package main

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
)

// TestShortKernels: kernels are printed without the numbers of a metric or of scales.
func TestShortKernels(t *testing.T) {
	g := kernel.Gaussian{Sigma: 2}
	for _, c := range []struct {
		of   kernel.Kernel
		want string
	}{
		{g, "Gaussian{Sigma: 2}"},
		{kernel.ARD{Scales: []float64{1, 2}, Of: g}, "ARD{Scales: …, Of: Gaussian{Sigma: 2}}"},
		{kernel.ARD{Scales: make([]float64, 1000), Of: g}, "ARD{Scales: …, Of: Gaussian{Sigma: 2}}"},
		{kernel.OneHot{Levels: [][]float64{{1, 2, 3}, nil}, Of: g}, "OneHot{Levels: …, Of: Gaussian{Sigma: 2}}"},
		{kernel.Warped{From: make([][]float64, 100), To: [][]float64{nil, {1}}, Of: g}, "Warped{From: …, To: …, Of: Gaussian{Sigma: 2}}"},
		{kernel.Projected{L: mat.NewDense(2, 3, nil), Of: g}, "Projected{L: 2×3 matrix, Of: Gaussian{Sigma: 2}}"},
		{kernel.Projected{L: mat.NewDense(60, 60, nil), Of: g}, "Projected{L: 60×60 matrix, Of: Gaussian{Sigma: 2}}"},
	} {
		if got := shortKernel(c.of); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
