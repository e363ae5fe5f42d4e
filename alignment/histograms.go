package alignment

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// histograms hold, in the nodes, all that kernels of a distance need to know of
// the ordered pairs i ≠ j of n rows.
type histograms struct {
	*nodes
	side    int            // of a tile
	rows    compute.Matrix // n×B: for each row its pairs
	count   []float64      // all pairs
	targets []float64      // all pairs, weighted by <y_i, y_j>
}

// sideFor is the number of rows of a tile of distances: large ones cost less, and
// small ones leave work for all where rows are few.
func sideFor(n int) int {
	if n < 1024 {
		return 128
	}
	return 512
}

// newHistograms takes one pass over the pairs of rows of x with targets y. It
// goes in rounds, in each of which every block of rows takes part in one tile at
// most, so that tiles run side by side and each histogram adds up in the same
// order whatever the number of workers. stop ends it early.
func newHistograms(n *nodes, m metric, x, y compute.Matrix, workers int, stop func() bool) *histograms {
	side := sideFor(x.Rows)
	h := &histograms{nodes: n, side: side, rows: compute.NewMatrix(x.Rows, len(n.at)), count: make([]float64, len(n.at)), targets: make([]float64, len(n.at))}
	blocks := (x.Rows + side - 1) / side
	parts := compute.NewMatrix(blocks, len(n.at)) // of targets
	for _, round := range rounds(blocks) {
		if stop() {
			break
		}
		compute.Parallel(len(round), workers, func(k int) {
			i, j := round[k][0], round[k][1]
			h.tile(m, x, y, i*side, j*side, compute.Row(parts, i))
		})
	}
	for i := range blocks {
		floats.Add(h.targets, compute.Row(parts, i))
	}
	for i := range x.Rows {
		floats.Add(h.count, compute.Row(h.rows, i))
	}
	return h
}

// tile adds the pairs of two blocks of rows, or of one with itself.
func (h *histograms) tile(m metric, x, y compute.Matrix, i0, j0 int, targets []float64) {
	rows, cols := min(h.side, x.Rows-i0), min(h.side, x.Rows-j0)
	s, v := compute.NewMatrix(rows, cols), compute.NewMatrix(rows, cols)
	m.block(s, compute.Rows(x, i0, i0+rows), compute.Rows(x, j0, j0+cols))
	compute.MulNT(v, compute.Rows(y, i0, i0+rows), compute.Rows(y, j0, j0+cols), 1)
	// Histograms of so many rows stay in the second level cache.
	const cached = 64
	for from := 0; from < cols; from += cached {
		to := min(from+cached, cols)
		for i := range rows {
			first := from
			if i0 == j0 {
				first = max(from, i+1)
			}
			if first < to {
				h.pairs(i0+i, j0+first, compute.Row(s, i)[first:to], compute.Row(v, i)[first:to], targets)
			}
		}
	}
}

// pairs adds the pairs of row i and the rows from j on, in both orders.
func (h *histograms) pairs(i, j int, s, v, targets []float64) {
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

// rounds pairs n blocks: in the first round each with itself, in the others as
// in a tournament, where all stay in a circle that turns but the last.
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
