package alignment

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

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
// summation does not depend on the number of workers. A stop leaves pairs out.
func newHistograms(n *nodes, m metric, d *data) *histograms {
	h := &histograms{nodes: n, side: 512, rows: compute.NewMatrix(d.x.Rows, len(n.at)), count: make([]float64, len(n.at)), targets: make([]float64, len(n.at))}
	if d.x.Rows < 1024 {
		h.side = 128 // enough tiles for all workers
	}
	blocks := (d.x.Rows + h.side - 1) / h.side
	targets := compute.NewMatrix(blocks, len(n.at))
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

// rounds pairs n blocks. The first round pairs each block with itself. The others follow a
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
