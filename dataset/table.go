package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Table holds the rows of a file as text: named columns of cells, some of them missing. Package
// recipe converts them into numbers for the learners.
type Table struct {
	columns []*Column
	lines   []int // of the file, where each row begins
}

// NewTable returns a table of cells. Empty cells and TableOptions.Missing are missing. All kinds
// are UnknownKind. A row of another length than names is rkhs.ErrShape.
func NewTable(names []string, rows [][]string, opts TableOptions) (*Table, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	t := emptyTable(names, parse)
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

func emptyTable(names []string, parse *parser) *Table {
	t := new(Table)
	for _, name := range names {
		t.columns = append(t.columns, &Column{name: name, parse: parse})
	}
	return t
}

// ConcatTables concatenates the rows of tables with the same columns, such as the batches of a
// file, and finds the kinds of the columns. Different columns are rkhs.ErrShape.
func ConcatTables(tables ...*Table) (*Table, error) {
	all := new(Table)
	if len(tables) > 0 {
		for _, c := range tables[0].Columns() {
			all.columns = append(all.columns, &Column{name: c.name, parse: c.parse})
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
		all.lines = append(all.lines, t.orEmpty().lines...)
	}
	for _, c := range all.columns {
		c.find()
	}
	return all, nil
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
	return len(t.lines), len(t.columns)
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

// Reading returns the options that parse the cells: DecimalComma, Missing and Dates. They apply to
// other files of the same origin.
func (t *Table) Reading() TableOptions {
	if t == nil || len(t.columns) == 0 {
		return TableOptions{}
	}
	o := t.columns[0].parse.given
	return TableOptions{DecimalComma: o.DecimalComma, Missing: slices.Clone(o.Missing), Dates: slices.Clone(o.Dates)}
}

// Line returns the line of the file in which a row begins, from 1.
func (t *Table) Line(row int) int { return t.lines[row] }

// Select returns a copy of the given rows in the given order, with the kinds of t. It panics if a
// row is out of range.
func (t *Table) Select(rows []int) *Table {
	s := new(Table)
	if t == nil {
		return s
	}
	s.lines = compute.PickOf(t.lines, rows)
	for _, c := range t.columns {
		p := &Column{name: c.name, kind: c.kind, parse: c.parse, ends: make([]int, 0, len(rows))}
		for _, i := range rows {
			p.append(string(c.cell(i)))
		}
		s.columns = append(s.columns, p)
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
	s := &Table{columns: t.Columns(), lines: t.orEmpty().lines}
	for name, kind := range kinds {
		i := s.index(name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("dataset: option Kinds: there is no column %q: %w", name, rkhs.ErrOption)
		case !kind.valid():
			return nil, fmt.Errorf("dataset: option Kinds: %v of column %q: %w", kind, name, rkhs.ErrOption)
		}
		c := *s.columns[i]
		c.kind = kind
		s.columns[i] = &c
	}
	return s, nil
}
