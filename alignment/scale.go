package alignment

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
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
