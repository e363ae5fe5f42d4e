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

// bandwidths returns the default bounds of bandwidths.
func (g scale) bandwidths() (low, high float64) { return 0.1 * g.quantile, 10 * g.largest }

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

// nodes are distances 0 = s_0 < s_1 < … at which functions of a distance are tabulated.
// Between nodes a function is the cubic through the four nearest, or linear between s_0
// and s_1. A sum Σ_i f(s_i) over many distances becomes Σ_b W_b·f(s_b) with weights W that
// do not depend on f.
//
// Nodes divide each power of two evenly, so the leading bits of s give its cell. With 16
// nodes per power of two the error is below 2e-6 of the maximum of exp(−s/σ²) for
// σ² > 16·s_1. It falls with the fourth power of the number of nodes.
type nodes struct {
	at       []float64
	shift    uint
	first    uint64    // bits of s_1, shifted
	cells    []int32   // first node of the stencil of each cell
	stencils []stencil // by first node
}

// stencil holds four nodes t in units of the second, and 1/Π_{l≠k}(t_k − t_l).
type stencil struct {
	unit       float64 // 1 over the second node
	t, inverse [4]float64
}

// newNodes covers distances up to high, most of which are above middle, with more nodes
// there. Below low > 0 functions are linear.
func newNodes(low, middle, high float64) *nodes {
	const coarseBits, mostBits, fineNodes = 4, 8, 512 // 2^bits nodes per power of two
	_, from := math.Frexp(low)
	_, mid := math.Frexp(middle)
	_, to := math.Frexp(high)
	from, to = max(from-1, -1000), min(to+1, 1023) // one more for the stencils at each end
	mid = min(max(mid-1, from), to-1)
	bits := coarseBits
	for bits < mostBits && (to-mid)<<(bits+1) <= fineNodes {
		bits++
	}
	n := &nodes{at: []float64{0}, shift: uint(52 - bits)}
	cell := func(exponent int) uint64 { return math.Float64bits(math.Ldexp(1, exponent)) >> n.shift }
	n.first = cell(from)
	for c, step := n.first, 1<<(bits-coarseBits); c < cell(to); c += uint64(step) {
		if c == cell(mid) {
			step = 1
		}
		n.cells = append(n.cells, slices.Repeat([]int32{int32(len(n.at))}, step)...)
		n.at = append(n.at, math.Float64frombits(c<<n.shift))
	}
	n.at = append(n.at, math.Ldexp(1, to))
	last := len(n.at) - 4
	for c, below := range n.cells {
		n.cells[c] = min(max(below-1, 1), int32(last))
	}
	n.stencils = make([]stencil, last+1)
	for i := range n.stencils {
		n.stencils[i] = newStencil(n.at[i : i+4])
	}
	return n
}

func newStencil(t []float64) stencil {
	s := stencil{unit: 1 / t[1]}
	for k := range s.t {
		s.t[k] = t[k] * s.unit
		p := 1.0
		for l := range t {
			if l != k {
				p *= (t[k] - t[l]) * s.unit
			}
		}
		s.inverse[k] = 1 / p
	}
	return s
}

// spread returns the weights of a distance s ≥ 0 at four nodes, and the first of them. s
// must not exceed the last node.
func (n *nodes) spread(s float64) (first int, w [4]float64) {
	if s < n.at[1] {
		t := s / n.at[1]
		return 0, [4]float64{1 - t, t}
	}
	first = int(n.cells[min(math.Float64bits(s)>>n.shift-n.first, uint64(len(n.cells)-1))])
	b := &n.stencils[first]
	s *= b.unit
	d0, d1, d2, d3 := s-b.t[0], s-b.t[1], s-b.t[2], s-b.t[3]
	left, right := d0*d1, d2*d3
	return first, [4]float64{
		d1 * right * b.inverse[0], d0 * right * b.inverse[1],
		left * d3 * b.inverse[2], left * d2 * b.inverse[3],
	}
}
