package compute

import "slices"

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

// StackSparseTo makes dst a copy of the rows of all parts. It reuses the memory of dst if
// the capacity suffices.
func StackSparseTo(dst *Sparse, parts []*Sparse) {
	dst.empty()
	for _, p := range parts {
		for i := range p.Rows {
			dst.appendRow(p.Row(i))
		}
	}
}
