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

// WithReading returns t with the given options for its texts: DecimalComma, Missing and Dates. Cells
// with a text of Missing become missing in columns of any kind. Invalid options are rkhs.ErrOption.
// O(cells).
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
	return &s, nil
}

func (c *Column) withParser(parse *parser) *Column {
	if text, ok := c.cells.(*texts); ok && c.kind == UnknownKind {
		return textColumn(c.name, text, parse)
	}
	s := *c
	s.parse = parse
	if len(parse.given.Missing) == 0 {
		return &s
	}
	s.missing = make([]bool, s.Len())
	for i := range s.missing {
		text, ok := c.Text(i)
		s.missing[i] = !ok || slices.Contains(parse.given.Missing, text)
	}
	return &s
}
