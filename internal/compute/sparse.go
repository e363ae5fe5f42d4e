package compute

import (
	"math"
	"slices"
)

// Products of sparse rows. Each inner product is one chain of fused multiply-adds over
// the columns in ascending order. Terms that are zero do not change a sum, so results do
// not depend on which zeros are skipped.

// SparseKernel sets dst_ij = f(x_i, z_j), where at least one of X and Z is sparse: X is
// n×d, Z is m×d, dst is n×m. Squared distances are ‖x‖² + ‖z‖² − 2<x,z>. Where this is
// below 2⁻¹² of ‖x‖² + ‖z‖², they are recomputed from differences. X and Z are not
// centred, because that would make them dense. Each value depends on its two rows only.
// The cost is O(p + n·m) for p nonzero products, or O(l·m) for l listed elements of X if
// that is faster.
func SparseKernel(dst Matrix, x, z Points, f Func, workers int) {
	if dst.Rows != x.Rows || dst.Cols != z.Rows || x.Cols != z.Cols {
		panic("compute: sizes of a block of kernel values do not match")
	}
	if x.Rows == 0 || z.Rows == 0 {
		return
	}
	b := &sparseBlock{dst: dst, x: x.Thin(), z: z.Thin(), radial: f.radial(), apply: mapping(use64, f)}
	if b.radial {
		norms := use64.buffer(b.x.Rows + b.z.Rows + 2*use64.gathered)
		defer norms.free()
		b.xNorms, b.zNorms = squaresTo(norms.data, b.x), squaresTo(norms.data[b.x.Rows+use64.gathered:], b.z)
	}
	if b.fewRows() {
		at := touched(b.x)
		defer at.free()
		rowSums{x: b.x, at: at, rows: z.Rows, finish: b.values}.byRows(b.z, workers)
		return
	}
	at := touched(b.z)
	defer at.free()
	s := rowSums{x: b.x, at: at, rows: z.Rows, finish: b.values}
	if whole := ceil(z.Rows, use64.gathered) * use64.gathered; float64(b.z.Listed()) >= panelFill*float64(len(at.columns))*float64(whole) {
		s.byPanels(b.fill(at), workers)
	} else {
		s.byPostings(b.z, workers)
	}
}

// panelFill is the density from which panels are faster than postings. It is the
// number of listed elements of Z relative to the elements of its panels.
const panelFill = 1. / 24

// sparseBlock is a block of kernel values for sparse X and Z.
type sparseBlock struct {
	dst            Matrix
	x, z           *Sparse
	radial         bool
	apply          func(dst, src []float64)
	xNorms, zNorms []float64
}

// fewRows reports whether reading the rows of Z once is faster than packing them, for
// example to predict a small batch with a large model.
func (b *sparseBlock) fewRows() bool {
	return b.x.Rows <= sumRows && b.x.Listed() < b.z.Listed() &&
		float64(b.z.Listed()) < panelFill*float64(b.z.Cols)*float64(b.z.Rows)
}

// fill returns a function that expands rows of Z to a dense panel.
func (b *sparseBlock) fill(at columnIndex) func(panel []float64, first, width int) {
	return func(panel []float64, first, width int) {
		clear(panel)
		for r := range min(width, b.z.Rows-first) {
			columns, values := b.z.Row(first + r)
			for k, j := range columns {
				panel[at.of(j)*width+r] = values[k]
			}
		}
	}
}

// squares returns the squared norm of each row, with padding.
func squares(s *Sparse) []float64 {
	return squaresTo(make([]float64, s.Rows+use64.gathered), s)
}

// squaresTo is squares with the result stored in memory.
func squaresTo(memory []float64, s *Sparse) []float64 {
	norms := memory[: s.Rows+use64.gathered : s.Rows+use64.gathered]
	clear(norms[s.Rows:])
	for i := range s.Rows {
		_, values := s.Row(i)
		sum := 0.0
		for _, v := range values {
			sum = math.FMA(v, v, sum)
		}
		norms[i] = sum
	}
	return norms
}

// values turns inner products into kernel values.
func (b *sparseBlock) values(i, j int, sums []float64) {
	if b.radial {
		b.distances(i, j, sums)
	}
	to := Row(b.dst, i)[j:]
	if len(to) >= len(sums) {
		b.apply(to[:len(sums)], sums)
		return
	}
	b.apply(sums, sums)
	copy(to, sums)
}

// distances turns inner products into squared distances.
func (b *sparseBlock) distances(i, j int, sums []float64) {
	_, ratio := limits[float64]()
	norm, norms := b.xNorms[i], b.zNorms[j:]
	e := use64
	for at := 0; at < len(sums); at += e.lanes {
		at += e.distances(sums[at:], norms[at:len(sums)], norm, ratio)
		for r := at; r < min(at+e.lanes, len(sums), b.z.Rows-j); r++ {
			if !(sums[r] >= ratio*(norms[r]+norm)) {
				sums[r] = b.x.SquaredDistance(i, b.z, j+r)
			}
		}
	}
}

// SquaredDistance returns the squared distance of row i of s and row j of t, computed
// from differences.
func (s *Sparse) SquaredDistance(i int, t *Sparse, j int) float64 {
	a, v := s.Row(i)
	b, w := t.Row(j)
	sum := 0.0
	for len(a) > 0 || len(b) > 0 {
		var d float64
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			d, a, v = v[0], a[1:], v[1:]
		case len(a) == 0 || b[0] < a[0]:
			d, b, w = w[0], b[1:], w[1:]
		default:
			d, a, v, b, w = v[0]-w[0], a[1:], v[1:], b[1:], w[1:]
		}
		sum = math.FMA(d, d, sum)
	}
	return sum
}

// SparseDiagonal sets dst_i = f(x_i, x_i).
func SparseDiagonal(dst []float64, x *Sparse, f Func) {
	clear(dst)
	if !f.radial() {
		copy(dst, squares(x))
	}
	use64.each(dst, dst, mapping(use64, f))
}

// MulSparse adds X·Zᵀ to dst: X is sparse n×d, Z is dense m×d, dst is n×m. O(l·m) for l
// listed elements of X.
func MulSparse(dst Matrix, x *Sparse, z Matrix, workers int) {
	if dst.Rows != x.Rows || dst.Cols != z.Rows || x.Cols != z.Cols {
		panic("compute: sizes of a product with sparse rows do not match")
	}
	at := touched(x)
	defer at.free()
	s := rowSums{x: x, at: at, rows: z.Rows, finish: func(i, j int, sums []float64) {
		to := Row(dst, i)[j:]
		for r := range min(len(sums), len(to)) {
			to[r] += sums[r]
		}
	}}
	s.byPanels(at.fill(z), workers)
}

// Sparse is a matrix in compressed row format. Row i has Values[k] in column Columns[k]
// for k from Offsets[i] to Offsets[i+1]−1, in ascending order of columns. Unlisted
// elements are zero.
type Sparse struct {
	Rows, Cols int
	Offsets    []int
	Columns    []int32
	Values     []float64
}

// NewSparse returns a matrix without rows and with capacity for the given numbers of rows
// and listed elements.
func NewSparse(cols, rows, listed int) *Sparse {
	return &Sparse{Cols: cols, Offsets: append(make([]int, 0, rows+1), 0),
		Columns: make([]int32, 0, listed), Values: make([]float64, 0, listed)}
}

// Row returns the listed columns of row i and their values; it shares the data of s.
func (s *Sparse) Row(i int) (columns []int32, values []float64) {
	from, to := s.Offsets[i], s.Offsets[i+1]
	return s.Columns[from:to:to], s.Values[from:to:to]
}

// Listed returns the number of listed elements.
func (s *Sparse) Listed() int { return s.Offsets[s.Rows] - s.Offsets[0] }

func (s *Sparse) appendRow(columns []int32, values []float64) {
	s.Columns, s.Values = append(s.Columns, columns...), append(s.Values, values...)
	s.EndRow()
}

// Append appends an element to the current row. Columns must ascend. EndRow ends the row.
func (s *Sparse) Append(column int32, value float64) {
	s.Columns, s.Values = append(s.Columns, column), append(s.Values, value)
}

// EndRow ends the current row.
func (s *Sparse) EndRow() {
	s.Offsets = append(s.Offsets, len(s.Columns))
	s.Rows++
}

// pick appends the rows of t with the given indices.
func (s *Sparse) pick(t *Sparse, rows []int) {
	for _, i := range rows {
		s.appendRow(t.Row(i))
	}
}

// empty removes all rows and keeps the memory.
func (s *Sparse) empty() {
	s.Rows, s.Offsets, s.Columns, s.Values = 0, append(s.Offsets[:0], 0), s.Columns[:0], s.Values[:0]
}

// Map returns a copy of s with values modified by do. do is called once with all values
// and their columns.
func (s *Sparse) Map(do func(values []float64, columns []int32)) *Sparse {
	return s.mapTo(make([]float64, s.Listed()), do)
}

// MapBriefly is Map with pooled memory. The caller must call free when it is done with m.
func (s *Sparse) MapBriefly(do func(values []float64, columns []int32)) (m *Sparse, free func()) {
	values := use64.buffer(s.Listed())
	return s.mapTo(values.data, do), values.free
}

// mapTo is Map with the result stored in values. The other fields are shared with s where
// possible.
func (s *Sparse) mapTo(values []float64, do func(values []float64, columns []int32)) *Sparse {
	from, to := s.Offsets[0], s.Offsets[s.Rows]
	m := &Sparse{Rows: s.Rows, Cols: s.Cols, Offsets: s.Offsets[: s.Rows+1 : s.Rows+1], Columns: s.Columns[from:to:to], Values: values[: to-from : to-from]}
	if from > 0 {
		m.Offsets = make([]int, s.Rows+1)
		for i, at := range s.Offsets[:s.Rows+1] {
			m.Offsets[i] = at - from
		}
	}
	copy(m.Values, s.Values[from:to])
	do(m.Values, m.Columns)
	return m
}

// Touched returns the columns listed in s, in ascending order.
func (s *Sparse) Touched() []int32 {
	at := touched(s)
	defer at.free()
	columns := slices.Clone(at.columns)
	slices.Sort(columns)
	return columns
}

// StackSparse returns a copy of the rows of all parts.
func StackSparse(cols int, parts []*Sparse) Points {
	rows, listed := 0, 0
	for _, p := range parts {
		rows, listed = rows+p.Rows, listed+p.Listed()
	}
	all := NewSparse(cols, rows, listed)
	StackSparseTo(all, parts)
	return SparsePoints(all)
}

// StackSparseTo copies the rows of all parts to dst. It reuses the memory of dst if the capacity suffices.
func StackSparseTo(dst *Sparse, parts []*Sparse) {
	dst.empty()
	for _, p := range parts {
		for i := range p.Rows {
			dst.appendRow(p.Row(i))
		}
	}
}
