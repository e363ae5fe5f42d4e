package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Column is an immutable column of a Table.
type Column struct {
	name  string
	kind  Kind
	cells []byte // the texts of all cells
	ends  []int  // of each cell
	parse *parser
}

// Name returns the name in the header, or "column 3" for the third column without a header.
func (c *Column) Name() string { return c.name }

// Kind returns the kind of the cells, as found or set by TableOptions.Kinds. It is UnknownKind in
// tables read in batches.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of cells.
func (c *Column) Len() int { return len(c.ends) }

// Text returns the text of a cell without surrounding blanks. It is not ok if the cell is missing.
func (c *Column) Text(row int) (text string, ok bool) {
	cell := c.cell(row)
	if c.missing(cell) {
		return "", false
	}
	return string(cell), true
}

// Number returns the number in a cell. It is not ok if the cell is missing. Another text than a
// finite number is rkhs.ErrFormat or rkhs.ErrNotFinite.
func (c *Column) Number(row int) (v float64, ok bool, err error) {
	cell := c.cell(row)
	if c.missing(cell) {
		return 0, false, nil
	}
	if v, err = c.parse.number(cell); err != nil {
		return 0, false, fmt.Errorf("column %q: %w", c.name, err)
	}
	return v, true, nil
}

// Time returns the time in a cell. It is not ok if the cell is missing. Another text than a time is
// rkhs.ErrFormat.
func (c *Column) Time(row int) (t time.Time, ok bool, err error) {
	cell := c.cell(row)
	if c.missing(cell) {
		return t, false, nil
	}
	if t, ok = c.parse.date(cell); !ok {
		return t, false, fmt.Errorf("column %q: %q is not a date of a known layout: %w", c.name, clip(cell), rkhs.ErrFormat)
	}
	return t, true, nil
}

// Missing reports whether a cell is missing.
func (c *Column) Missing(row int) bool { return c.missing(c.cell(row)) }

func (c *Column) missing(cell []byte) bool { return c.parse.missing[string(cell)] }

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

// Kind is the kind of the cells of a column.
type Kind uint8

const (
	// UnknownKind is the kind of a column of which not all cells are read.
	UnknownKind Kind = iota
	// Number is a column of numbers.
	Number
	// Category is a column of recurring names.
	Category
	// Text is a column of texts of several words.
	Text
	// Date is a column of days or times.
	Date
	// Identifier is a column of names that nearly all differ.
	Identifier
	// Blank is a column of missing cells only.
	Blank
)

var kindNames = []string{"unknown", "number", "category", "text", "date", "identifier", "blank"}

func (k Kind) valid() bool { return k > UnknownKind && int(k) < len(kindNames) }

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind of the given name: number, category, text, date, identifier or blank.
func ParseKind(name string) (Kind, error) {
	if k := Kind(max(slices.Index(kindNames, name), 0)); k.valid() {
		return k, nil
	}
	return UnknownKind, fmt.Errorf("dataset: %q is no kind of a column, want one of %v: %w", name, kindNames[1:], rkhs.ErrOption)
}

const (
	// strayCells is the largest fraction of other texts in a column of numbers or dates. They are
	// errors of the file; a column with more is not of that kind.
	strayCells = 0.01
	// differentNames is the fraction of different names above which a column identifies rows.
	differentNames = 0.9
	// fewNames is the number of names that Text and Identifier need.
	fewNames = 30
	// wordsOfText is the mean number of words of texts.
	wordsOfText = 3
)

// find sets the kind of the column from its cells.
func (c *Column) find() {
	total, numbers, dates, words := 0, 0, 0, 0
	different := make(map[string]struct{})
	for i := range c.ends {
		cell := c.cell(i)
		if c.missing(cell) {
			continue
		}
		total++
		if _, err := c.parse.number(cell); err == nil {
			numbers++
			continue
		}
		if _, ok := c.parse.date(cell); ok {
			dates++
		}
		words += len(bytes.Fields(cell))
		if _, known := different[string(cell)]; !known { // converts the new cells only
			different[string(cell)] = struct{}{}
		}
	}
	names := total - numbers
	nearlyAll := func(part int) bool { return float64(total-part) <= strayCells*float64(total) }
	switch {
	case total == 0:
		c.kind = Blank
	case nearlyAll(numbers):
		c.kind = Number
	case nearlyAll(dates):
		c.kind = Date
	case 2*len(different) > total && words >= wordsOfText*names && total >= fewNames:
		c.kind = Text
	case float64(len(different)) > differentNames*float64(total) && total >= fewNames:
		c.kind = Identifier
	default:
		c.kind = Category
	}
}
