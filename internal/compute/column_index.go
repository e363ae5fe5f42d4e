package compute

import (
	"slices"
	"sync"
)

// columnIndex numbers the columns listed in sparse rows.
type columnIndex struct {
	columns []int32 // by position
	// table holds the position of each column, counted from 1, or 0 for unlisted columns. It is
	// nil if there are too many columns.
	table []int32
	home  *table
}

// table is pooled memory of a columnIndex.
type table struct {
	positions []int32 // all zero while in the pool
	columns   []int32
}

// tableColumns is the largest number of columns for which a columnIndex uses a table.
const tableColumns = 1 << 22

var tables sync.Pool // of *table

// touched returns the positions of the columns listed in s. The caller must call free.
func touched(s *Sparse) columnIndex {
	if s.Cols > tableColumns {
		columns := slices.Clone(s.Columns[s.Offsets[0]:s.Offsets[s.Rows]])
		slices.Sort(columns)
		return columnIndex{columns: slices.Compact(columns)}
	}
	p := columnIndex{}
	p.home, _ = tables.Get().(*table)
	if p.home == nil || len(p.home.positions) < s.Cols {
		p.home = &table{positions: make([]int32, s.Cols)}
	}
	p.table, p.columns = p.home.positions, p.home.columns[:0]
	for _, j := range s.Columns[s.Offsets[0]:s.Offsets[s.Rows]] {
		if p.table[j] == 0 {
			p.columns = append(p.columns, j)
			p.table[j] = int32(len(p.columns))
		}
	}
	return p
}

func (p columnIndex) free() {
	if p.home == nil {
		return
	}
	for _, j := range p.columns {
		p.table[j] = 0
	}
	p.home.columns = p.columns
	tables.Put(p.home)
}

// of returns the position of column j, or a negative number if j is not listed.
func (p columnIndex) of(j int32) int {
	if p.table != nil {
		return int(p.table[j]) - 1
	}
	return p.find(j)
}

// find looks up j without a table. It is not inlined, so that of can be.
//
//go:noinline
func (p columnIndex) find(j int32) int {
	if position, ok := slices.BinarySearch(p.columns, j); ok {
		return position
	}
	return -1
}

// numbered returns rows [from, to) of s with columns replaced by positions, in the memory of
// space. It drops columns without a position.
func (p columnIndex) numbered(s *Sparse, from, to int, space *listSpace) *Sparse {
	listed, n := s.Offsets[to]-s.Offsets[from], 0
	space.offsets = Resize(space.offsets, to-from+1)
	space.columns, space.values = Resize(space.columns, listed), Resize(space.values, listed)
	at, numbered := space.columns, space.values
	r := &Sparse{Rows: to - from, Cols: len(p.columns), Offsets: space.offsets, Columns: at, Values: numbered}
	r.Offsets[0] = 0
	for i := from; i < to; i++ {
		columns, values := s.Row(i)
		for k, j := range columns {
			position := p.of(j)
			at[n], numbered[n] = int32(position), values[k]
			if position >= 0 {
				n++
			}
		}
		r.Offsets[i-from+1] = n
	}
	return r
}

// fill returns a function that copies rows of dense Z, restricted to the columns of p, to
// a panel.
func (p columnIndex) fill(z Matrix) func(panel []float64, first, width int) {
	return func(panel []float64, first, width int) {
		live := min(width, z.Rows-first)
		if live < width {
			clear(panel)
		}
		for r := range live {
			row := Row(z, first+r)
			for at, j := range p.columns {
				panel[at*width+r] = row[j]
			}
		}
	}
}

// listSpace is reusable memory of postings and numbered.
type listSpace struct {
	offsets, next []int
	columns       []int32
	values        []float64
}

var listSpaces = sync.Pool{New: func() any { return new(listSpace) }}

// postings returns the transpose of s, with positions as rows, in the memory of space.
func (p columnIndex) postings(s *Sparse, space *listSpace) *Sparse {
	space.offsets = Resize(space.offsets, len(p.columns)+1)
	space.columns, space.values = Resize(space.columns, s.Listed()), Resize(space.values, s.Listed())
	t := &Sparse{Rows: len(p.columns), Cols: s.Rows, Offsets: space.offsets, Columns: space.columns, Values: space.values}
	clear(t.Offsets)
	for _, j := range s.Columns[s.Offsets[0]:s.Offsets[s.Rows]] {
		t.Offsets[p.of(j)+1]++
	}
	for at := range t.Rows {
		t.Offsets[at+1] += t.Offsets[at]
	}
	space.next = append(space.next[:0], t.Offsets...)
	next := space.next
	for i := range s.Rows {
		columns, values := s.Row(i)
		for k, j := range columns {
			at := p.of(j)
			t.Columns[next[at]], t.Values[next[at]] = int32(i), values[k]
			next[at]++
		}
	}
	return t
}
