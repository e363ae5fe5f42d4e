package dataset

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Column is an immutable column of a Table. It stores its values as numbers, integers, texts,
// booleans or times.
type Column struct {
	name    string
	kind    Kind
	cells   cells
	missing []bool         // nil if no cell is missing
	faults  map[int]string // texts of cells of another kind, by row
	gaps    map[string]int // counts of the texts of missing cells, if known
	parse   *parser        // reads texts
	origin  origin

	dates     []string // layouts found in the cells
	ambiguous []string // layouts of dates in which the day or the month may be first
}

// NumberColumn returns a column of numbers. NaN is missing. The column keeps both slices; missing
// may be nil. It panics if the lengths differ.
func NumberColumn(name string, values []float64, missing []bool) *Column {
	for i, v := range values {
		if math.IsNaN(v) && (missing == nil || !missing[i]) {
			if missing = slices.Clone(missing); missing == nil {
				missing = make([]bool, len(values))
			}
			for k := i; k < len(values); k++ {
				missing[k] = missing[k] || math.IsNaN(values[k])
			}
			break
		}
	}
	return newColumn(name, Number, numbers(values), missing)
}

// IntegerColumn returns a column of whole numbers, like NumberColumn.
func IntegerColumn(name string, values []int64, missing []bool) *Column {
	return newColumn(name, Number, integers(values), missing)
}

// BoolColumn returns a category of the levels true and false, like NumberColumn.
func BoolColumn(name string, values []bool, missing []bool) *Column {
	return newColumn(name, Category, bools(values), missing)
}

// TimeColumn returns a column of days or times, like NumberColumn.
func TimeColumn(name string, values []time.Time, missing []bool) *Column {
	return newColumn(name, Date, times(values), missing)
}

// TextColumn returns a column of texts. It finds the kind like ReadTable, and stores numbers and
// dates as such. Empty cells and the default texts of missing cells are missing as well.
// O(bytes).
func TextColumn(name string, values []string, missing []bool) *Column {
	if missing != nil && len(missing) != len(values) {
		panic(errLengths(name, len(values), len(missing)))
	}
	b := newTextBuilder()
	for i, text := range values {
		if missing != nil && missing[i] {
			text = ""
		}
		b.append(bytes.TrimSpace([]byte(text)))
	}
	c := []*Column{textColumn(name, &b.texts, defaultParser)}
	findKinds(c)
	return c[0]
}

var defaultParser = newParser(Notation{}, false)

// newColumn returns a column of the given kind, or Blank without a value.
func newColumn(name string, kind Kind, values cells, missing []bool) *Column {
	if missing != nil && len(missing) != values.len() {
		panic(errLengths(name, values.len(), len(missing)))
	}
	if !slices.Contains(missing, true) {
		missing = nil
	}
	c := &Column{name: name, kind: kind, cells: values, missing: missing, parse: defaultParser}
	if c.countMissing() == c.Len() {
		c.kind = Blank
	}
	return c
}

func errLengths(name string, values, missing int) string {
	return fmt.Sprintf("dataset: column %q has %d values and %d flags of missing cells", name, values, missing)
}

// textColumn returns a column of UnknownKind.
func textColumn(name string, values *texts, parse *parser) *Column {
	c := &Column{name: name, kind: parse.Kind, cells: values, parse: parse}
	isMissing := make([]bool, len(values.levels))
	for code, text := range values.levels {
		isMissing[code] = parse.isMissing(text)
	}
	if slices.Contains(isMissing, true) {
		c.missing = make([]bool, len(values.codes))
		c.gaps = map[string]int{}
		for i, code := range values.codes {
			if c.missing[i] = isMissing[code]; c.missing[i] {
				c.gaps[values.levels[code]]++
			}
		}
	}
	return c
}

// Name returns the name in the header, or column_3 for the third column without one. A repeated name a
// becomes a_2.
func (c *Column) Name() string { return c.name }

// Kind returns the kind of the cells, as found or set by TableOptions.Kinds. It is UnknownKind in
// tables read in batches.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of cells.
func (c *Column) Len() int { return c.cells.len() }

// Missing reports whether a cell is missing.
func (c *Column) Missing(row int) bool { return c.missing != nil && c.missing[row] }

func (c *Column) countMissing() (n int) {
	for _, m := range c.missing {
		if m {
			n++
		}
	}
	return n
}

// Text returns the text of a cell without surrounding blanks: the original text in a column of
// texts, and otherwise the shortest text of the value. It is not ok if the cell is missing.
func (c *Column) Text(row int) (text string, ok bool) {
	if c.Missing(row) {
		return "", false
	}
	if text, fault := c.faults[row]; fault {
		return text, true
	}
	return c.cells.text(row), true
}

// Number returns the number in a cell. It is not ok if the cell is missing. Another text than a
// finite number is rkhs.ErrFormat or rkhs.ErrNotFinite.
func (c *Column) Number(row int) (v float64, ok bool, err error) {
	if c.Missing(row) {
		return 0, false, nil
	}
	if text, fault := c.faults[row]; fault {
		_, err = c.parse.number([]byte(text))
	} else {
		v, err = c.cells.number(row, c.parse)
	}
	if err != nil {
		return 0, false, fmt.Errorf("column %q: %w", c.name, err)
	}
	return v, true, nil
}

// Time returns the time in a cell. It is not ok if the cell is missing. Another text than a time is
// rkhs.ErrFormat.
func (c *Column) Time(row int) (t time.Time, ok bool, err error) {
	if c.Missing(row) {
		return t, false, nil
	}
	if text, fault := c.faults[row]; fault {
		_, err = c.parse.time(text)
	} else {
		t, err = c.cells.time(row, c.parse)
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("column %q: %w", c.name, err)
	}
	return t, true, nil
}

// Notation returns how the column was read. Columns of values without texts have only a Kind.
func (c *Column) Notation() Notation {
	n := c.parse.Notation
	n.Kind, n.Dates, n.Missing = c.kind, slices.Clone(n.Dates), slices.Clone(n.Missing)
	return n
}

// As returns the column in a notation: it reads texts again, and other values get the kind. Numbers
// with another unit are rkhs.ErrFormat. O(cells) for texts.
func (c *Column) As(n Notation) (*Column, error) {
	if _, ok := c.cells.(*texts); ok {
		return c.reread(n), nil
	}
	if c.parse != defaultParser && n.Kind == Number && c.kind == Number && c.parse.Unit != n.Unit {
		return nil, fmt.Errorf("column %q: the numbers have the unit %q, want %q: %w", c.name, c.parse.Unit, n.Unit, rkhs.ErrFormat)
	}
	s := *c.withMissing(n.Missing)
	s.kind, s.parse = n.Kind, c.parse.with(n)
	return &s, nil
}

// reread returns a column of texts in a notation.
func (c *Column) reread(n Notation) *Column {
	s := textColumn(c.name, c.cells.(*texts), c.parse.with(n)).converted()
	s.origin = c.origin
	return s
}

// converted returns a new column of texts with the values of its kind.
func (c *Column) converted() *Column {
	text := c.cells.(*texts)
	switch c.kind {
	case Number:
		c.cells = numbers(convert(c, text, func(text string) (float64, error) { return c.parse.number([]byte(text)) }))
	case Date:
		c.cells = times(convert(c, text, c.parse.time))
	}
	return c
}

// withKind returns the column with a kind.
func (c *Column) withKind(kind Kind) *Column {
	text, ok := c.cells.(*texts)
	if !ok {
		s := *c
		s.kind = kind
		return &s
	}
	n := c.parse.Notation
	switch t := tallyOf(text, c.parse); kind {
	case Number:
		n = t.numberNotation(c.parse, false)
	case Date:
		n = t.dateNotation(c.parse)
	}
	n.Kind = kind
	return c.reread(n)
}

// findKinds reads the columns of UnknownKind in their likely notations.
func findKinds(columns []*Column) {
	tallies := make([]*tally, len(columns))
	comma := false
	for j, c := range columns {
		if text, ok := c.cells.(*texts); ok && c.kind == UnknownKind {
			tallies[j] = tallyOf(text, c.parse)
			comma = comma || tallies[j].decimalComma(c.parse, false)
		}
	}
	for j, t := range tallies {
		if t != nil {
			given := columns[j].parse
			c := columns[j].reread(t.notation(given, comma))
			if c.dates = c.parse.Dates[len(given.Dates):]; c.kind != Date {
				c.ambiguous = t.ambiguous()
			}
			columns[j] = c
		}
	}
}

// pick returns a copy of the given rows.
func (c *Column) pick(rows []int) *Column {
	p := *c
	p.cells, p.missing, p.faults, p.gaps = c.cells.pick(rows), compute.PickOf(c.missing, rows), nil, nil
	for i, row := range rows {
		if text, fault := c.faults[row]; fault {
			p.setFault(i, text)
		}
	}
	return &p
}

func (c *Column) setFault(row int, text string) {
	if c.faults == nil {
		c.faults = map[int]string{}
	}
	c.faults[row] = text
}

// concatColumns concatenates columns of one name. Columns of different kinds or types become texts.
func concatColumns(parts []*Column) *Column {
	first := parts[0]
	c := *first
	c.gaps = nil
	var others []cells
	offset := 0
	for _, p := range parts {
		same := p.kind == first.kind && reflect.TypeOf(p.cells) == reflect.TypeOf(first.cells)
		if !same {
			return concatTexts(parts)
		}
		others = append(others, p.cells)
		offset += p.Len()
	}
	c.cells = first.cells.concat(others[1:])
	c.missing, c.faults = marksOf(parts, offset)
	return &c
}

// concatTexts concatenates columns of different kinds as texts.
func concatTexts(parts []*Column) *Column {
	b := newTextBuilder()
	for _, p := range parts {
		for i := range p.Len() {
			text, _ := p.Text(i)
			b.append([]byte(text))
		}
	}
	return textColumn(parts[0].name, &b.texts, parts[0].parse)
}

// marksOf returns the missing cells and the faults of concatenated columns.
func marksOf(parts []*Column, rows int) (missing []bool, faults map[int]string) {
	c, from := new(Column), 0
	for _, p := range parts {
		if p.missing != nil {
			if c.missing == nil {
				c.missing = make([]bool, rows)
			}
			copy(c.missing[from:], p.missing)
		}
		for i, text := range p.faults {
			c.setFault(from+i, text)
		}
		from += p.Len()
	}
	return c.missing, c.faults
}
