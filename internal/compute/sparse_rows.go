package compute

import "slices"

// Sparse is a matrix of which the elements that are not listed are zero: row i has Values[k]
// in column Columns[k], which ascend, for k from Offsets[i] to Offsets[i+1]−1.
type Sparse struct {
	Rows, Cols int
	Offsets    []int
	Columns    []int32
	Values     []float64
}

// NewSparse returns a matrix without rows, with room for the given numbers of rows and of
// elements.
func NewSparse(cols, rows, listed int) *Sparse {
	return &Sparse{Cols: cols, Offsets: append(make([]int, 0, rows+1), 0),
		Columns: make([]int32, 0, listed), Values: make([]float64, 0, listed)}
}

// Row returns the listed columns of row i and their values; it shares the data of s.
func (s *Sparse) Row(i int) (columns []int32, values []float64) {
	from, to := s.Offsets[i], s.Offsets[i+1]
	return s.Columns[from:to:to], s.Values[from:to:to]
}

// Listed returns the number of elements that are listed.
func (s *Sparse) Listed() int { return s.Offsets[s.Rows] - s.Offsets[0] }

// appendRow appends a row.
func (s *Sparse) appendRow(columns []int32, values []float64) {
	s.Columns, s.Values = append(s.Columns, columns...), append(s.Values, values...)
	s.EndRow()
}

// Append appends an element to the row that EndRow ends; its column is behind those before.
func (s *Sparse) Append(column int32, value float64) {
	s.Columns, s.Values = append(s.Columns, column), append(s.Values, value)
}

// EndRow ends a row.
func (s *Sparse) EndRow() {
	s.Offsets = append(s.Offsets, len(s.Columns))
	s.Rows++
}

// pick appends the listed rows of t.
func (s *Sparse) pick(t *Sparse, rows []int) {
	for _, i := range rows {
		s.appendRow(t.Row(i))
	}
}

// empty drops all rows and keeps the memory.
func (s *Sparse) empty() {
	s.Rows, s.Offsets, s.Columns, s.Values = 0, append(s.Offsets[:0], 0), s.Columns[:0], s.Values[:0]
}

// Map returns a copy of s of which do has changed the values; it is given all of them, with
// their columns, at once.
func (s *Sparse) Map(do func(values []float64, columns []int32)) *Sparse {
	return s.mapTo(make([]float64, s.Listed()), do)
}

// MapBriefly is Map in memory that free takes back.
func (s *Sparse) MapBriefly(do func(values []float64, columns []int32)) (m *Sparse, free func()) {
	values := use64.buffer(s.Listed())
	return s.mapTo(values.data, do), values.free
}

// mapTo is Map in the memory that is given for the values. The rest is shared with s.
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

// Touched returns the columns that s lists, ascending.
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

// StackSparseTo makes dst a copy of the rows of all parts, in its own memory where that is enough.
func StackSparseTo(dst *Sparse, parts []*Sparse) {
	dst.empty()
	for _, p := range parts {
		for i := range p.Rows {
			dst.appendRow(p.Row(i))
		}
	}
}
