package dataset

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Table holds rows as named columns of numbers, texts or times. Some cells may be missing. Package
// recipe encodes them for the learners.
type Table struct {
	columns []*Column
	rows    int
	first   int   // line of the first row, 0 for 1
	lines   []int // of all rows, unless they follow the first without gaps
	source  source
}

// source describes where the rows come from.
type source struct {
	target, weights string // columns that the tags of a struct name
	ignored         []Note // columns of the source without a column here
}

// TableOf returns a table of columns. Columns of different lengths are rkhs.ErrShape, and two
// columns of one name rkhs.ErrFormat. O(columns).
func TableOf(columns ...*Column) (*Table, error) {
	t := &Table{columns: slices.Clone(columns)}
	seen := map[string]bool{}
	for _, c := range columns {
		switch {
		case c == nil:
			return nil, fmt.Errorf("dataset: a nil column: %w", rkhs.ErrShape)
		case c.Len() != columns[0].Len():
			return nil, fmt.Errorf("dataset: column %q has %d rows, want %d as in %q: %w", c.name, c.Len(), columns[0].Len(), columns[0].name, rkhs.ErrShape)
		case seen[c.name]:
			return nil, fmt.Errorf("dataset: two columns are named %q: %w", c.name, rkhs.ErrFormat)
		}
		seen[c.name] = true
		t.rows = c.Len()
	}
	return t, nil
}

// NewTable returns a table of cells. All kinds are UnknownKind, except for TableOptions.Notations. A
// row of another length than names is rkhs.ErrShape.
func NewTable(names []string, rows [][]string, opts TableOptions) (*Table, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	b := newTableBuilder(names, parse, opts, false)
	cells := make([][]byte, len(names))
	for i, row := range rows {
		if len(row) != len(names) {
			return nil, fmt.Errorf("dataset: row %d has %d cells, want %d: %w", i, len(row), len(names), rkhs.ErrShape)
		}
		for j, cell := range row {
			cells[j] = bytes.TrimSpace([]byte(cell))
		}
		b.append(cells, i+1)
	}
	return b.table(), nil
}

// ConcatTables concatenates the rows of tables with the same columns, such as the batches of a
// file, and finds the kinds of columns of UnknownKind. Different columns are rkhs.ErrShape.
func ConcatTables(tables ...*Table) (*Table, error) {
	if len(tables) == 0 {
		return new(Table), nil
	}
	first := tables[0].orEmpty()
	all := &Table{rows: first.rows, source: first.source}
	for k, t := range tables[1:] {
		t = t.orEmpty()
		if len(t.columns) != len(first.columns) {
			return nil, fmt.Errorf("dataset: table %d has %d columns, want %d as in the first: %w", k+1, len(t.columns), len(first.columns), rkhs.ErrShape)
		}
		for j, c := range t.columns {
			if c.name != first.columns[j].name {
				return nil, fmt.Errorf("dataset: column %d of table %d is %q, want %q as in the first: %w", j, k+1, c.name, first.columns[j].name, rkhs.ErrShape)
			}
		}
		all.rows += t.rows
		all.source.ignored = mergeIgnored(all.source.ignored, t.source.ignored)
	}
	for j := range first.columns {
		parts := make([]*Column, len(tables))
		for k, t := range tables {
			parts[k] = t.columns[j]
		}
		all.columns = append(all.columns, concatColumns(parts))
	}
	findKinds(all.columns)
	for _, t := range tables {
		for i := range t.orEmpty().rows {
			all.lines = append(all.lines, t.Line(i))
		}
	}
	return all, nil
}

// CollectTables concatenates the tables of a sequence, such as arrow.Batches or SQLBatches, and sets
// the given kinds of columns, by name. Errors are the errors of the sequence, ConcatTables and
// Table.WithKinds.
func CollectTables(batches iter.Seq2[*Table, error], kinds map[string]Kind) (*Table, error) {
	var parts []*Table
	for t, err := range batches {
		if err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	t, err := ConcatTables(parts...)
	if err != nil {
		return nil, err
	}
	return t.WithKinds(kinds)
}

// orEmpty returns an empty table for nil.
func (t *Table) orEmpty() *Table {
	if t == nil {
		return new(Table)
	}
	return t
}

// Dims returns the numbers of rows and of columns.
func (t *Table) Dims() (rows, columns int) {
	t = t.orEmpty()
	return t.rows, len(t.columns)
}

// Columns returns the columns in the order of the file.
func (t *Table) Columns() []*Column { return slices.Clone(t.orEmpty().columns) }

// Column returns the column of the given name, or nil.
func (t *Table) Column(name string) *Column {
	t = t.orEmpty()
	if i := t.index(name); i >= 0 {
		return t.columns[i]
	}
	return nil
}

func (t *Table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c *Column) bool { return c.name == name })
}

// Target returns the name of the column that the tag of a struct field names as the target, or "".
func (t *Table) Target() string { return t.orEmpty().source.target }

// Weights returns the name of the column that the tag of a struct field names as the weights, or "".
func (t *Table) Weights() string { return t.orEmpty().source.weights }

// Notations returns how the columns were read, by name (TableOptions.Notations).
func (t *Table) Notations() map[string]Notation {
	all := map[string]Notation{}
	for _, c := range t.orEmpty().columns {
		all[c.name] = c.Notation()
	}
	return all
}

// Line returns the number, from 1, of the first line of a row in its file, or the number of the row
// without a file.
func (t *Table) Line(row int) int {
	if t.lines == nil {
		return max(t.first, 1) + row
	}
	return t.lines[row]
}

// Select returns a copy of the given rows in the given order, with the kinds of t. It panics if a
// row is out of range.
func (t *Table) Select(rows []int) *Table {
	s := new(Table)
	if t == nil {
		return s
	}
	s.rows, s.source = len(rows), t.source
	for _, i := range rows {
		s.lines = append(s.lines, t.Line(i))
	}
	for _, c := range t.columns {
		s.columns = append(s.columns, c.pick(rows))
	}
	return s
}

// Split divides the rows at random into training rows and the given fraction of test rows, at least
// one of each.
func (t *Table) Split(fraction float64, seed uint64) (train, test *Table, err error) {
	n, _ := t.Dims()
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("dataset: the fraction of test rows is %v, want between 0 and 1: %w", fraction, rkhs.ErrOption)
	}
	if n < 2 {
		return nil, nil, fmt.Errorf("dataset: %d rows to divide, want 2 or more: %w", n, rkhs.ErrEmpty)
	}
	order := rng.New(seed, "dataset table split", 0).Perm(n)
	tests := min(max(1, int(fraction*float64(n)+0.5)), n-1)
	slices.Sort(order[:tests])
	slices.Sort(order[tests:])
	return t.Select(order[tests:]), t.Select(order[:tests]), nil
}

// WithKinds returns t with the given kinds of columns, by name. Unknown columns and kinds are
// rkhs.ErrOption.
func (t *Table) WithKinds(kinds map[string]Kind) (*Table, error) {
	s := *t.orEmpty()
	s.columns = t.Columns()
	for name, kind := range kinds {
		i := s.index(name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("dataset: option Kinds: there is no column %q: %w", name, rkhs.ErrOption)
		case !kind.valid():
			return nil, fmt.Errorf("dataset: option Kinds: %v of column %q: %w", kind, name, rkhs.ErrOption)
		}
		s.columns[i] = s.columns[i].withKind(kind)
	}
	return &s, nil
}
