package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Table holds the rows of a file as they stand there: cells of text under named columns, of
// which some may be missing. Package recipe turns them into the numbers that learners take.
type Table struct {
	columns []*Column
	lines   []int // of the file, where each row begins
}

// Column is a column of a Table. It is not changed once it is there.
type Column struct {
	name  string
	kind  Kind
	cells []byte // one behind the other
	ends  []int  // of each cell
	read  *reading
}

// Dims returns the numbers of rows and of columns.
func (t *Table) Dims() (rows, columns int) {
	if t == nil {
		return 0, 0
	}
	return len(t.lines), len(t.columns)
}

// Columns returns the columns in the order of the file.
func (t *Table) Columns() []*Column {
	if t == nil {
		return nil
	}
	return slices.Clone(t.columns)
}

// Column returns the column of a name, or nil.
func (t *Table) Column(name string) *Column {
	if t == nil {
		return nil
	}
	for _, c := range t.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

// Reading returns what options said of cells: DecimalComma, Missing and Dates. Other files of
// the same origin are read by the same.
func (t *Table) Reading() TableOptions {
	if t == nil || len(t.columns) == 0 {
		return TableOptions{}
	}
	o := t.columns[0].read.given
	o.Missing, o.Dates = slices.Clone(o.Missing), slices.Clone(o.Dates)
	return o
}

// Line returns the line of the file in which a row begins, counted from 1.
func (t *Table) Line(row int) int { return t.lines[row] }

// Select returns a copy of the given rows, in the order given; kinds are those of t. It panics
// if a row is out of range.
func (t *Table) Select(rows []int) *Table {
	s := new(Table)
	if t == nil {
		return s
	}
	for _, i := range rows {
		s.lines = append(s.lines, t.lines[i])
	}
	for _, c := range t.columns {
		p := &Column{name: c.name, kind: c.kind, read: c.read, ends: make([]int, 0, len(rows))}
		for _, i := range rows {
			p.append(string(c.cell(i)))
		}
		s.columns = append(s.columns, p)
	}
	return s
}

// Split divides the rows at random into rows to train on and the given fraction, between 0
// and 1, of rows to test on, at least one of each.
func (t *Table) Split(fraction float64, seed uint64) (train, test *Table, err error) {
	n, _ := t.Dims()
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("dataset: a fraction of %v rows to test on, want one between 0 and 1: %w", fraction, rkhs.ErrOption)
	}
	if n < 2 {
		return nil, nil, fmt.Errorf("dataset: %d rows to divide, want 2 or more: %w", n, rkhs.ErrEmpty)
	}
	order := rng.New(seed, "dataset table split", 0).Perm(n)
	held := min(max(1, int(fraction*float64(n)+0.5)), n-1)
	rest, tested := order[held:], order[:held]
	slices.Sort(rest)
	slices.Sort(tested)
	return t.Select(rest), t.Select(tested), nil
}

// Name returns the name of the column: that of the header, or "column 3" for the third of a
// file that has none.
func (c *Column) Name() string { return c.name }

// Kind returns what the cells are, as found from all of them or as given by TableOptions.Kinds;
// UnknownKind in tables that are read in batches.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of cells.
func (c *Column) Len() int { return len(c.ends) }

// Text returns the text of a cell, without blanks around it, and whether there is one.
func (c *Column) Text(row int) (text string, ok bool) {
	cell := c.cell(row)
	if c.missing(cell) {
		return "", false
	}
	return string(cell), true
}

// Number returns the number in a cell, and whether there is one. A text that is not a finite
// number is rkhs.ErrFormat or rkhs.ErrNotFinite, which names the column alone.
func (c *Column) Number(row int) (v float64, ok bool, err error) {
	cell := c.cell(row)
	if c.missing(cell) {
		return 0, false, nil
	}
	if v, err = c.read.number(cell); err != nil {
		return 0, false, fmt.Errorf("column %q: %w", c.name, err)
	}
	return v, true, nil
}

// Missing reports whether a cell is missing.
func (c *Column) Missing(row int) bool { return c.missing(c.cell(row)) }

func (c *Column) missing(cell []byte) bool {
	if len(cell) == 0 {
		return true
	}
	_, ok := c.read.missing[string(cell)]
	return ok
}

func (c *Column) cell(row int) []byte {
	from := 0
	if row > 0 {
		from = c.ends[row-1]
	}
	return c.cells[from:c.ends[row]]
}

func (c *Column) append(cell string) {
	c.cells = append(c.cells, cell...)
	c.ends = append(c.ends, len(c.cells))
}

// ConcatTables returns the rows of tables of the same columns, such as the batches of a file, one table
// behind the other, and finds the kinds of the columns from all of them. Tables of
// other columns are rkhs.ErrShape.
func ConcatTables(tables ...*Table) (*Table, error) {
	all := new(Table)
	if len(tables) > 0 {
		for _, c := range tables[0].Columns() {
			all.columns = append(all.columns, &Column{name: c.name, read: c.read})
		}
	}
	for k, t := range tables {
		if _, columns := t.Dims(); columns != len(all.columns) {
			return nil, fmt.Errorf("dataset: table %d has %d columns, want %d as in the first: %w", k, columns, len(all.columns), rkhs.ErrShape)
		}
		for j, c := range t.Columns() {
			if c.name != all.columns[j].name {
				return nil, fmt.Errorf("dataset: column %d of table %d is %q, want %q as in the first: %w", j, k, c.name, all.columns[j].name, rkhs.ErrShape)
			}
			for i := range c.Len() {
				all.columns[j].append(string(c.cell(i)))
			}
		}
		if t != nil {
			all.lines = append(all.lines, t.lines...)
		}
	}
	for _, c := range all.columns {
		c.find()
	}
	return all, nil
}

// WithKinds returns t with the given kinds of columns, by name, in place of what their cells
// tell. The error wraps rkhs.ErrOption for a column that is not there, or a kind that is none.
func (t *Table) WithKinds(kinds map[string]Kind) (*Table, error) {
	c, err := t.withKinds(kinds)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return c, nil
}

func (t *Table) withKinds(kinds map[string]Kind) (*Table, error) {
	s := new(Table)
	if t != nil {
		s.lines, s.columns = t.lines, slices.Clone(t.columns)
	}
	for name, kind := range kinds {
		at := slices.IndexFunc(s.columns, func(c *Column) bool { return c.name == name })
		switch {
		case at < 0:
			return nil, fmt.Errorf("option Kinds: there is no column %q: %w", name, rkhs.ErrOption)
		case !kind.valid():
			return nil, fmt.Errorf("option Kinds: %v of column %q: %w", kind, name, rkhs.ErrOption)
		}
		c := *s.columns[at]
		c.kind = kind
		s.columns[at] = &c
	}
	return s, nil
}

// NewTable returns a table of cells of text, of which the empty one and those of
// TableOptions.Missing are missing. The kinds of the columns are not found. Rows of another
// length than the names are rkhs.ErrShape.
func NewTable(names []string, rows [][]string, opts TableOptions) (*Table, error) {
	shared, err := opts.reading()
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	t := new(Table)
	for _, name := range names {
		t.columns = append(t.columns, &Column{name: name, read: shared})
	}
	for i, row := range rows {
		if len(row) != len(names) {
			return nil, fmt.Errorf("dataset: row %d has %d cells, want %d: %w", i, len(row), len(names), rkhs.ErrShape)
		}
		for j, cell := range row {
			t.columns[j].append(strings.TrimSpace(cell))
		}
		t.lines = append(t.lines, i+1)
	}
	return t, nil
}
