package alignment

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// scale is what is known of the distances of rows before all pairs are looked at.
type scale struct {
	// In units of length: the 0.1 % quantile, the median and the largest of the
	// positive distances between up to 256 rows.
	quantile, median, largest float64
	// bound is a distance, squared if the metric is, that none exceeds.
	bound float64
}

// nodes returns those of the distances.
func (g scale) nodes(m metric) *nodes {
	const resolution = 0x1p-8 // of the square of the smallest bandwidth
	return newNodes(m.distance(0.1*g.quantile)*resolution, m.distance(g.quantile), g.bound)
}

// newScale looks at rows of x, which are centred, evenly spread.
func newScale(x compute.Matrix, m metric) scale {
	const few = 256
	n := min(x.Rows, few)
	var all []float64
	spaced := make([]int, n)
	for i := range n {
		spaced[i] = i * x.Rows / n
	}
	distances, sample := compute.NewMatrix(n, n), compute.Pick(x, spaced)
	m.block(distances, sample, sample)
	for i := range n {
		all = append(all, compute.Row(distances, i)[:i]...)
	}
	all = slices.DeleteFunc(all, func(v float64) bool { return v == 0 })
	radius := 0.0
	for i := range x.Rows {
		radius = max(radius, m.norm(compute.Row(x, i)))
	}
	g := scale{bound: m.distance(2*m.length(radius)) * (1 + 1e-12)}
	if len(all) == 0 {
		all = append(all, cmp.Or(g.bound, 1))
	}
	slices.Sort(all)
	g.quantile = m.length(all[len(all)/1000])
	g.median = m.length(all[(len(all)-1)/2])
	g.largest = m.length(all[len(all)-1])
	g.bound = max(g.bound, all[len(all)-1])
	return g
}

// metric is the distance s that a kernel is a function of.
type metric gram.Distance

const squaredDistance = metric(gram.SquaredEuclidean)

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
