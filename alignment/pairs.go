package alignment

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// metric is the distance s that a kernel is a function of.
type metric uint8

const (
	squaredDistance  metric = iota // ‖x−z‖²
	absoluteDistance               // ‖x−z‖₁
)

// block sets dst_ij to the distance of x_i and z_j.
func (m metric) block(dst, x, z compute.Matrix) {
	if m == squaredDistance {
		compute.Kernel(dst, x, z, compute.Func{Family: compute.SquaredDistance}, 1)
		return
	}
	for i := range x.Rows {
		for j := range z.Rows {
			dst.Data[i*dst.Stride+j] = sumOfDifferences(row(x, i), row(z, j))
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
			h.tile(m, x, y, i*side, j*side, row(parts, i))
		})
	}
	for i := range blocks {
		add(h.targets, row(parts, i))
	}
	for i := range x.Rows {
		add(h.count, row(h.rows, i))
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
				h.pairs(i0+i, j0+first, row(s, i)[first:to], row(v, i)[first:to], targets)
			}
		}
	}
}

// pairs adds the pairs of row i and the rows from j on, in both orders.
func (h *histograms) pairs(i, j int, s, v, targets []float64) {
	mine := row(h.rows, i)
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

func row(m compute.Matrix, i int) []float64 {
	return m.Data[i*m.Stride : i*m.Stride+m.Cols : i*m.Stride+m.Cols]
}

func add(dst, v []float64) {
	for i, x := range v {
		dst[i] += x
	}
}
