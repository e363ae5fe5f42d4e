package alignment

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// scale summarises the distances between rows.
type scale struct {
	// quantile, median and largest are lengths: the 0.1 % quantile, the median and the
	// maximum of the positive distances between up to 256 rows.
	quantile, median, largest float64
	// bound is an upper bound of all values of the metric.
	bound float64
}

// newScale samples evenly spaced rows of x. The bound is tight if x is centred.
func newScale(x compute.Matrix, m metric) scale {
	const few = 256
	n := min(x.Rows, few)
	spaced := make([]int, n)
	for i := range n {
		spaced[i] = i * x.Rows / n
	}
	distances, sample := compute.NewMatrix(n, n), compute.Pick(x, spaced)
	m.block(distances, sample, sample)
	var all []float64
	for i := range n {
		all = append(all, compute.Row(distances, i)[:i]...)
	}
	all = slices.DeleteFunc(all, func(v float64) bool { return v == 0 })
	radius := 0.0
	for i := range x.Rows {
		radius = max(radius, m.norm(compute.Row(x, i)))
	}
	bound := m.distance(2*m.length(radius)) * (1 + 1e-12)
	if len(all) == 0 {
		all = append(all, cmp.Or(bound, 1))
	}
	slices.Sort(all)
	largest := all[len(all)-1]
	return scale{
		quantile: m.length(all[len(all)/1000]),
		median:   m.length(all[(len(all)-1)/2]),
		largest:  m.length(largest),
		bound:    max(bound, largest),
	}
}

// nodes returns nodes for all distances between the rows.
func (g scale) nodes(m metric) *nodes {
	const resolution = 0x1p-8 // of the square of the smallest bandwidth
	return newNodes(m.distance(0.1*g.quantile)*resolution, m.distance(g.quantile), g.bound)
}

// metric is the distance that a kernel depends on, ‖x−z‖² or ‖x−z‖₁.
type metric gram.Distance

const squaredDistance = metric(gram.SquaredEuclidean)

// block sets dst_ij to the metric of x_i and z_j.
func (m metric) block(dst, x, z compute.Matrix) {
	if m == squaredDistance {
		compute.Kernel(dst, x, z, compute.Func{Family: compute.SquaredDistance}, 1)
		return
	}
	for i := range x.Rows {
		xi, to := compute.Row(x, i), compute.Row(dst, i)
		for j := range to {
			to[j] = absoluteDistance(xi, compute.Row(z, j))
		}
	}
}

// absoluteDistance returns ‖x−z‖₁ as two independent sums.
func absoluteDistance(x, z []float64) float64 {
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

// norm returns the metric of x and the origin.
func (m metric) norm(x []float64) float64 {
	if m == squaredDistance {
		return floats.Dot(x, x)
	}
	return floats.Norm(x, 1)
}

// length converts a value of the metric to the unit of bandwidths.
func (m metric) length(s float64) float64 {
	if m == squaredDistance {
		return math.Sqrt(s)
	}
	return s
}

// distance is the inverse of length.
func (m metric) distance(length float64) float64 {
	if m == squaredDistance {
		return length * length
	}
	return length
}
