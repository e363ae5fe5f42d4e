package alignment

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// metric is the distance s that a kernel is a function of.
type metric kernel.Distance

const squaredDistance = metric(kernel.SquaredEuclidean)

// block sets dst_ij to the distance of x_i and z_j.
func (m metric) block(dst, x, z compute.Matrix) {
	if m == squaredDistance {
		compute.Kernel(dst, x, z, compute.Func{Family: compute.SquaredDistance}, 1)
		return
	}
	for i := range x.Rows {
		xi, to := compute.Row(x, i), compute.Row(dst, i)
		for j := range to {
			to[j] = sumOfDifferences(xi, compute.Row(z, j))
		}
	}
}

func sumOfDifferences(x, z []float64) float64 {
	z = z[:len(x)]
	var s, t float64
	for len(x) >= 2 {
		s += math.Abs(x[0] - z[0])
		t += math.Abs(x[1] - z[1])
		x, z = x[2:], z[2:]
	}
	if len(x) > 0 {
		s += math.Abs(x[0] - z[0])
	}
	return s + t
}

// norm is the distance of x to the origin, of which no distance of two rows is
// more than twice (four times if squared) the largest.
func (m metric) norm(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		if m == squaredDistance {
			s += v * v
		} else {
			s += math.Abs(v)
		}
	}
	return s
}

// length turns a distance into the unit of bandwidths, and distance is the
// inverse.
func (m metric) length(s float64) float64 {
	if m == squaredDistance {
		return math.Sqrt(s)
	}
	return s
}

func (m metric) distance(length float64) float64 {
	if m == squaredDistance {
		return length * length
	}
	return length
}
