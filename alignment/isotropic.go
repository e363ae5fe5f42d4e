package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// isotropic is a family of kernels of a distance with one parameter. It needs only
// histograms of the distances and row sums of the Gram matrices, never the matrices.
type isotropic struct {
	*data
	of        gram.Description // of any member of the family
	pairs     *histograms
	low, high float64 // of the logarithm of the parameter
	start     kernel.Kernel
	members   []profile
}

// profile is a member minus its value at distance 0.
type profile struct {
	values []float64 // at the nodes
	sums   []float64 // of the rows
	spread []float64 // Σ_i sums_i over the pairs of row i, at the nodes
	mean   float64   // of all elements
}

// kernel returns the member with the given parameter.
func (f *isotropic) kernel(theta float64) kernel.Kernel {
	return f.of.WithParameters([]float64{theta})
}

// values sets dst_b = k(s_b) − k(0) at the nodes s_b. Centring removes the constant k(0);
// without it no digits cancel where k is close to k(0).
func (f *isotropic) values(dst []float64, k kernel.Kernel) {
	if less := gram.Describe(k).LessDiagonal; less != nil {
		less(dst, f.pairs.at)
		return
	}
	copy(dst, f.pairs.at)
	k.(kernel.Radial).OfSquaredDistance(dst)
	floats.AddConst(-dst[0], dst) // the first node is 0
}

func (f *isotropic) steepest(p direction) candidate {
	w := f.weights(p)
	values := make([]float64, len(w))
	m := maximise(func(u float64) float64 {
		f.values(values, f.kernel(math.Exp(u)))
		return floats.Dot(w, values)
	}, f.low, f.high, gridPoints(f.low, f.high), 5e-4)
	return candidate{f.kernel(math.Exp(m.at)), m.value, m.evaluations}
}

// weights gathers P_ij over i ≠ j in the nodes.
func (f *isotropic) weights(p direction) []float64 {
	n := float64(f.x.Rows)
	w := make([]float64, len(f.pairs.at))
	constant := p.identity / n
	for t, c := range p.weights {
		constant -= c * f.members[t].mean
	}
	for b, count := range f.pairs.count {
		w[b] = f.pairs.targets[b]/f.norm + constant*count
		for t, c := range p.weights {
			w[b] -= c * (f.members[t].values[b]*count - 2/n*f.members[t].spread[b])
		}
	}
	return w
}

func (f *isotropic) admit(k kernel.Kernel) products {
	rows := f.pairs.rows
	n := float64(rows.Rows)
	m := profile{values: make([]float64, rows.Cols), sums: make([]float64, rows.Rows), spread: make([]float64, rows.Cols)}
	f.values(m.values, k)
	compute.MulNN(compute.ColumnOf(m.sums), rows, compute.ColumnOf(m.values), f.workers)
	compute.MulTN(compute.ColumnOf(m.spread), rows, compute.ColumnOf(m.sums), f.workers)
	for _, s := range m.sums {
		m.mean += s / (n * n)
	}
	f.members = append(f.members, m)
	p := products{target: floats.Dot(m.values, f.pairs.targets), trace: -n * m.mean}
	for _, o := range f.members {
		p.members = append(p.members, f.inner(m, o))
	}
	return p
}

// inner returns the inner product of two centred members. Subtracting the means first
// avoids cancellation where all distances are similar.
func (f *isotropic) inner(a, b profile) float64 {
	n := float64(f.x.Rows)
	pairs, rows := n*a.mean*b.mean, 0.0
	for k, c := range f.pairs.count {
		pairs += c * (a.values[k] - a.mean) * (b.values[k] - b.mean)
	}
	for i, s := range a.sums {
		rows += (s - n*a.mean) * (b.sums[i] - n*b.mean)
	}
	return pairs - 2/n*rows
}

func (f *isotropic) fallback() kernel.Kernel { return f.start }

// histograms summarise the ordered pairs i ≠ j of n rows by weights at the nodes of their
// distances.
type histograms struct {
	*nodes
	side    int            // of a tile
	rows    compute.Matrix // n×B: the pairs of each row
	count   []float64      // all pairs
	targets []float64      // all pairs, weighted by <y_i, y_j>
}

// newHistograms needs one pass over the pairs of rows. In each round every block of rows
// is in at most one tile. Tiles of a round can therefore run in parallel, and the order of
// summation does not depend on the number of workers. After a stop, pairs are missing.
func newHistograms(n *nodes, m metric, d *data) *histograms {
	size := len(n.at)
	h := &histograms{nodes: n, side: 512, rows: compute.NewMatrix(d.x.Rows, size), count: make([]float64, size), targets: make([]float64, size)}
	if d.x.Rows < 1024 {
		h.side = 128 // enough tiles for all workers
	}
	blocks := (d.x.Rows + h.side - 1) / h.side
	targets := compute.NewMatrix(blocks, size)
	for _, round := range rounds(blocks) {
		if d.stop() {
			break
		}
		compute.Parallel(len(round), d.workers, func(k int) {
			i, j := round[k][0], round[k][1]
			h.addTile(m, d, i*h.side, j*h.side, compute.Row(targets, i))
		})
	}
	for i := range blocks {
		floats.Add(h.targets, compute.Row(targets, i))
	}
	for i := range d.x.Rows {
		floats.Add(h.count, compute.Row(h.rows, i))
	}
	return h
}

// addTile adds the pairs between two blocks of rows, or within one.
func (h *histograms) addTile(m metric, d *data, i0, j0 int, targets []float64) {
	i1, j1 := min(i0+h.side, d.x.Rows), min(j0+h.side, d.x.Rows)
	s, v := compute.NewMatrix(i1-i0, j1-j0), compute.NewMatrix(i1-i0, j1-j0)
	m.block(s, compute.Rows(d.x, i0, i1), compute.Rows(d.x, j0, j1))
	compute.MulNT(v, compute.Rows(d.y, i0, i1), compute.Rows(d.y, j0, j1), 1)
	const cached = 64 // histograms that fit the second-level cache
	for from, to := range compute.Chunks(j1-j0, cached) {
		for i := range s.Rows {
			first := from
			if i0 == j0 {
				first = max(from, i+1)
			}
			if first < to {
				h.addPairs(i0+i, j0+first, compute.Row(s, i)[first:to], compute.Row(v, i)[first:to], targets)
			}
		}
	}
}

// addPairs adds the pairs of row i and the rows from j on, in both orders.
func (h *histograms) addPairs(i, j int, s, v, targets []float64) {
	mine := compute.Row(h.rows, i)
	for k, d := range s {
		first, w := h.spread(d)
		other := h.rows.Data[(j+k)*h.rows.Stride+first:][:4]
		own, all := mine[first:][:4], targets[first:][:4]
		for l, c := range w {
			own[l] += c
			other[l] += c
			all[l] += 2 * v[k] * c
		}
	}
}

// rounds pairs n blocks. The first round pairs each block with itself. Other rounds follow a
// round-robin tournament, in which every two blocks meet once.
func rounds(n int) [][][2]int {
	own := make([][2]int, n)
	for i := range own {
		own[i] = [2]int{i, i}
	}
	all := [][][2]int{own}
	even := n + n%2
	for turn := range even - 1 {
		var round [][2]int
		for k := range even / 2 {
			i, j := (turn+k)%(even-1), (turn-k+even-1)%(even-1)
			if k == 0 {
				j = even - 1
			}
			if i < n && j < n {
				round = append(round, [2]int{min(i, j), max(i, j)})
			}
		}
		all = append(all, round)
	}
	return all
}
