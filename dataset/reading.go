package dataset

import (
	"bytes"
	"fmt"
	"slices"
)

// RawColumn returns a column of texts of UnknownKind, for one of several batches: ConcatTables finds
// the kind from all of them. Empty texts are missing. It panics if the lengths differ.
func RawColumn(name string, values []string, missing []bool) *Column {
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
	return textColumn(name, &b.texts, defaultParser)
}

// WithReading returns t with the given options for its cells: DecimalComma, Missing, Dates and
// Notations. Cells with a text of Missing become missing in columns of any kind. Invalid options are
// rkhs.ErrOption, and numbers of another unit rkhs.ErrFormat. O(cells).
func (t *Table) WithReading(opts TableOptions) (*Table, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	s := *t.orEmpty()
	s.columns = nil
	for _, c := range t.Columns() {
		s.columns = append(s.columns, c.withParser(parse))
	}
	return s.as(opts.Notations)
}

// as returns the table with columns in the given notations.
func (t *Table) as(notations map[string]Notation) (*Table, error) {
	for j, c := range t.columns {
		n, given := notations[c.name]
		if !given {
			continue
		}
		c, err := c.As(n)
		if err != nil {
			return nil, err
		}
		t.columns[j] = c
	}
	return t, nil
}

func (c *Column) withParser(parse *parser) *Column {
	if text, ok := c.cells.(*texts); ok && c.kind == UnknownKind {
		return textColumn(c.name, text, parse)
	}
	if len(parse.Missing) == 0 {
		return c
	}
	s := *c.withMissing(parse.Missing)
	s.parse = parse
	return &s
}

// withMissing returns the column, in which cells with the given texts are missing.
func (c *Column) withMissing(texts []string) *Column {
	fresh := slices.DeleteFunc(slices.Clone(texts), c.parse.isMissing)
	if len(fresh) == 0 {
		return c
	}
	s := *c
	s.missing = make([]bool, c.Len())
	for i := range s.missing {
		text, ok := c.Text(i)
		s.missing[i] = !ok || slices.Contains(fresh, text)
	}
	return &s
}
