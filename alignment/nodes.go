package alignment

import (
	"math"
	"sort"
)

// nodes are the points 0 = s_0 < s_1 < … at which functions of a distance s are
// tabulated. A function is taken between them as the cubic through the four
// nearest, or as a straight line between s_0 and s_1, so that a sum of values
// Σ f(s_i) becomes Σ_b W_b·f(s_b), where W gathers, once for all functions, the
// weights that the s_i have in the nodes.
//
// Nodes divide each power of two evenly, and the cell of s is read from the
// leading bits of the number. With 16 nodes a power of two the error is below
// 2e-6 of the largest value of exp(−s/σ²) for any σ² > 16·s_1, and it falls with
// the fourth power of their number.
type nodes struct {
	at       []float64
	shift    uint
	first    uint64    // bits of s_1, shifted
	stencils []int32   // of each cell
	by       []stencil // by their first node
}

// stencil holds four nodes in units of the second, and 1/Π_{l≠k}(t_k − t_l).
type stencil struct {
	unit       float64 // 1 over the second
	t, inverse [4]float64
}

const (
	coarse    = 4   // bits: 16 nodes a power of two
	fineNodes = 512 // number of nodes aimed at where most distances lie
)

// newNodes covers distances up to high, most of which are above middle; below
// low, which is not 0, functions are taken as straight.
func newNodes(low, middle, high float64) *nodes {
	_, from := math.Frexp(low)
	_, mid := math.Frexp(middle)
	_, to := math.Frexp(high)
	// Two are kept free for the stencils of the ends.
	from, to = max(from-1, -1000), min(to+1, 1023)
	mid = min(max(mid-1, from), to-1)
	fine := coarse
	for fine < 8 && (to-mid)<<(fine+1) <= fineNodes {
		fine++
	}
	n := &nodes{at: []float64{0}, shift: uint(52 - fine)}
	n.first = math.Float64bits(math.Ldexp(1, from)) >> n.shift
	n.divide(from, mid, coarse)
	n.divide(mid, to, fine)
	n.at = append(n.at, math.Ldexp(1, to))
	n.index()
	return n
}

// divide adds nodes in [2^from, 2^to).
func (n *nodes) divide(from, to, bits int) {
	for e := from; e < to; e++ {
		for i := range 1 << bits {
			n.at = append(n.at, math.Ldexp(1+float64(i)/float64(int(1)<<bits), e))
		}
	}
}

// index finds the stencil of each cell.
func (n *nodes) index() {
	last := len(n.at) - 4
	n.by = make([]stencil, last+1)
	for i := range n.by {
		n.by[i] = newStencil(n.at[i : i+4])
	}
	cells := math.Float64bits(n.at[len(n.at)-1])>>n.shift - n.first
	n.stencils = make([]int32, cells)
	for c := range n.stencils {
		s := math.Float64frombits((n.first + uint64(c)) << n.shift)
		below := sort.SearchFloat64s(n.at, s)
		if n.at[below] > s {
			below--
		}
		n.stencils[c] = int32(min(max(below-1, 1), last))
	}
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

// spread returns the first of the four nodes that s has weight in, and the
// weights. s is not negative and not above the last node.
func (n *nodes) spread(s float64) (first int, w [4]float64) {
	if s < n.at[1] {
		t := s / n.at[1]
		return 0, [4]float64{1 - t, t}
	}
	first = int(n.stencils[min(math.Float64bits(s)>>n.shift-n.first, uint64(len(n.stencils)-1))])
	b := &n.by[first]
	s *= b.unit
	d0, d1, d2, d3 := s-b.t[0], s-b.t[1], s-b.t[2], s-b.t[3]
	left, right := d0*d1, d2*d3
	return first, [4]float64{
		d1 * right * b.inverse[0], d0 * right * b.inverse[1],
		left * d3 * b.inverse[2], left * d2 * b.inverse[3],
	}
}
