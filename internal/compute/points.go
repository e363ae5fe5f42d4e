package compute

import (
	"encoding/binary"
	"math"
	"slices"
)

// Points is a set of rows, dense or sparse.
type Points struct {
	// Matrix holds dense rows. For sparse rows it has Rows and Cols but no Data.
	Matrix
	// Sparse holds sparse rows. It is nil for dense rows.
	Sparse *Sparse
}

// DensePoints returns the rows of m as Points.
func DensePoints(m Matrix) Points { return Points{Matrix: m} }

// SparsePoints returns the rows of s as Points.
func SparsePoints(s *Sparse) Points {
	return Points{Matrix: Matrix{Rows: s.Rows, Cols: s.Cols, Stride: max(1, s.Cols)}, Sparse: s}
}

// Between returns rows [from, to); it shares the data of p.
func (p Points) Between(from, to int) Points {
	if p.Sparse == nil {
		return DensePoints(Rows(p.Matrix, from, to))
	}
	if from == 0 && to == p.Rows {
		return p
	}
	s := *p.Sparse
	s.Rows, s.Offsets = to-from, s.Offsets[from:to+1:to+1]
	return SparsePoints(&s)
}

// Pick returns a copy of the rows with the given indices, in that order.
func (p Points) Pick(rows []int) Points {
	if p.Sparse == nil {
		return DensePoints(Pick(p.Matrix, rows))
	}
	listed := 0
	for _, i := range rows {
		listed += p.Sparse.Offsets[i+1] - p.Sparse.Offsets[i]
	}
	s := NewSparse(p.Cols, len(rows), listed)
	s.pick(p.Sparse, rows)
	return SparsePoints(s)
}

// PickTo copies the rows with the given indices to dst, in that order. It reuses the memory of dst if the
// capacity suffices.
func (p Points) PickTo(dst *Points, rows []int) {
	if p.Sparse == nil {
		dst.Sparse = nil
		PickTo(Reshape(&dst.Matrix, len(rows), p.Cols), p.Matrix, rows)
		return
	}
	s := dst.Sparse
	if s == nil {
		s = NewSparse(p.Cols, len(rows), 0)
	}
	s.Cols = p.Cols
	s.empty()
	s.pick(p.Sparse, rows)
	*dst = SparsePoints(s)
}

// Clone returns a copy of p.
func (p Points) Clone() Points {
	if p.Sparse == nil {
		return DensePoints(Clone(p.Matrix))
	}
	return p.Pick(Indices(p.Rows))
}

// Dense returns the rows as a dense matrix. It copies sparse rows and shares dense rows.
func (p Points) Dense() Matrix {
	if p.Sparse == nil {
		return p.Matrix
	}
	m := NewMatrix(p.Rows, p.Cols)
	p.DenseTo(m)
	return m
}

// DenseTo copies the rows to m.
func (p Points) DenseTo(m Matrix) {
	if p.Sparse == nil {
		CopyTo(m, p.Matrix)
		return
	}
	for i := range p.Rows {
		columns, values := p.Sparse.Row(i)
		row := Row(m, i)
		clear(row)
		for k, j := range columns {
			row[j] = values[k]
		}
	}
}

// Bytes returns the size in bytes of the elements.
func (p Points) Bytes() int {
	if p.Sparse == nil {
		return 8 * len(p.Data)
	}
	return 12*p.Sparse.Listed() + 8*len(p.Sparse.Offsets)
}

// denseElements bounds the size of a batch of sparse rows converted to dense.
const denseElements = 1 << 21

// DenseRows returns how many sparse rows with d columns to convert to dense per batch.
func DenseRows(d int) int { return max(1, denseElements/max(1, d)) }

// Thin returns the rows in sparse form. It shares sparse rows; for dense rows it copies
// the nonzero elements.
func (p Points) Thin() *Sparse {
	if p.Sparse != nil {
		return p.Sparse
	}
	s := NewSparse(p.Cols, p.Rows, 0)
	for i := range p.Rows {
		for j, v := range Row(p.Matrix, i) {
			if v != 0 {
				s.Append(int32(j), v)
			}
		}
		s.EndRow()
	}
	return s
}

// Equal reports whether p and q have the same form, sizes and elements.
func (p Points) Equal(q Points) bool {
	if p.Rows != q.Rows || p.Cols != q.Cols || (p.Sparse == nil) != (q.Sparse == nil) {
		return false
	}
	for i := range p.Rows {
		if p.Sparse == nil {
			if !slices.Equal(Row(p.Matrix, i), Row(q.Matrix, i)) {
				return false
			}
			continue
		}
		a, v := p.Sparse.Row(i)
		b, w := q.Sparse.Row(i)
		if !slices.Equal(a, b) || !slices.Equal(v, w) {
			return false
		}
	}
	return true
}

// AppendKey appends an encoding of the nonzero elements of row i to key. Equal rows have
// equal keys in dense and sparse form.
func (p Points) AppendKey(key []byte, i int) []byte {
	element := func(j int32, v float64) {
		if v != 0 {
			key = binary.LittleEndian.AppendUint32(key, uint32(j))
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
		}
	}
	if p.Sparse == nil {
		for j, v := range Row(p.Matrix, i) {
			element(int32(j), v)
		}
		return key
	}
	columns, values := p.Sparse.Row(i)
	for k, j := range columns {
		element(j, values[k])
	}
	return key
}

// StackPoints returns a copy of the rows of all parts; there must be at least one part.
// The result is dense if all parts are dense, and sparse otherwise.
func StackPoints(parts []Points) Points {
	rows, sparse := 0, false
	for _, p := range parts {
		rows, sparse = rows+p.Rows, sparse || p.Sparse != nil
	}
	if !sparse {
		all, at := NewMatrix(rows, parts[0].Cols), 0
		for _, p := range parts {
			CopyTo(Rows(all, at, at+p.Rows), p.Matrix)
			at += p.Rows
		}
		return DensePoints(all)
	}
	list := make([]*Sparse, len(parts))
	for i, p := range parts {
		list[i] = p.Thin()
	}
	return StackSparse(parts[0].Cols, list)
}

// Values returns the elements of a dense row i or the listed elements of a sparse one.
// It shares the data of p.
func (p Points) Values(i int) []float64 {
	if p.Sparse == nil {
		return Row(p.Matrix, i)
	}
	_, values := p.Sparse.Row(i)
	return values
}

// PerRow returns the number of elements per row. For sparse rows it is the mean number
// of listed elements, rounded up.
func (p Points) PerRow() int {
	if p.Sparse == nil || p.Rows == 0 {
		return p.Cols
	}
	return ceil(p.Sparse.Listed(), p.Rows)
}

// With returns the rows of p followed by the rows of x. It may append to the memory of
// p, like append.
func (p Points) With(x Points) Points {
	if p.Rows == 0 && x.Sparse != nil {
		return x.Clone()
	}
	if p.Sparse == nil && x.Sparse == nil {
		return DensePoints(AppendRows(p.Matrix, x.Matrix))
	}
	s := *p.Thin()
	if s.Offsets[s.Rows] != len(s.Columns) { // the memory after the last row belongs to other rows
		s = *p.Clone().Sparse
	}
	more := x.Thin()
	for i := range more.Rows {
		s.appendRow(more.Row(i))
	}
	return SparsePoints(&s)
}

// AppendRows returns the rows of m followed by the rows of x. It may append to the memory
// of m, like append.
func AppendRows(m, x Matrix) Matrix {
	for i := range x.Rows {
		m.Data = append(m.Data, Row(x, i)...)
	}
	m.Rows, m.Cols, m.Stride = m.Rows+x.Rows, x.Cols, x.Cols
	return m
}
