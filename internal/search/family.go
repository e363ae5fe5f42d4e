package search

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Family is a family of kernels that Tune compares.
type Family int

// The families, simplest first. Bandwidths are multiples of the median distance of rows.
// The distance is the sum of absolute differences for LaplacianByColumns, which is a
// product over the columns, and Euclidean for the remaining families.
const (
	GaussianFamily Family = iota
	Matern32Family
	Matern12Family
	LaplacianByColumns
)

// AllFamilies lists all families.
var AllFamilies = []Family{GaussianFamily, Matern32Family, Matern12Family, LaplacianByColumns}

// kernel returns the kernel of the family with a bandwidth.
func (f Family) kernel(bandwidth float64) kernel.Kernel {
	switch f {
	case Matern32Family:
		return kernel.Matern{Nu: 1.5, Length: bandwidth}
	case Matern12Family:
		return kernel.Matern{Nu: 0.5, Length: bandwidth}
	case LaplacianByColumns:
		return kernel.Laplacian{Sigma: bandwidth}
	}
	return kernel.Gaussian{Sigma: bandwidth}
}

// firstWidth returns the initial bandwidth of the search. Rough kernels do best when wide.
func (f Family) firstWidth() int {
	if f == GaussianFamily || f == Matern32Family {
		return 0
	}
	return 2
}

// absoluteDistances sets dst to the sums of absolute differences between rows of x.
func absoluteDistances(dst, x compute.Matrix, workers int) {
	compute.Parallel(x.Rows, workers, func(i int) {
		for j := range i {
			dst.Data[j*dst.Stride+i] = absoluteDistance(compute.Row(x, i), compute.Row(x, j))
		}
		dst.Data[i*dst.Stride+i] = 0
	})
	compute.Mirror(dst)
}

func absoluteDistance(x, y []float64) float64 {
	var a, b, c, d float64
	n := len(x) &^ 3
	for k := 0; k < n; k += 4 {
		u, v := x[k:k+4:k+4], y[k:k+4:k+4]
		a += math.Abs(u[0] - v[0])
		b += math.Abs(u[1] - v[1])
		c += math.Abs(u[2] - v[2])
		d += math.Abs(u[3] - v[3])
	}
	for k := n; k < len(x); k++ {
		a += math.Abs(x[k] - y[k])
	}
	return (a + b) + (c + d)
}

// medianOf returns the median of the positive elements above the diagonal, or 1.
func medianOf(d compute.Matrix) float64 {
	all := make([]float64, 0, d.Rows*(d.Rows-1)/2)
	for i := range d.Rows {
		for _, v := range compute.Row(d, i)[i+1:] {
			if v > 0 {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}
