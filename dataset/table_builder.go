package dataset

import (
	"math"
	"slices"
)

// sampleRows is the number of rows of a whole file after which plain numbers are stored as numbers.
const sampleRows = 4096

// tableBuilder collects the texts of rows.
type tableBuilder struct {
	names   []string
	parse   *parser
	whole   bool // the rows are a whole file, so that kinds are found
	columns []*columnBuilder
	rows    int
	first   int   // line of the first row
	lines   []int // of all rows, unless they follow the first without gaps
}

func newTableBuilder(names []string, parse *parser, opts TableOptions, whole bool) *tableBuilder {
	b := &tableBuilder{names: names, parse: parse, whole: whole}
	for _, name := range names {
		c := &columnBuilder{textBuilder: newTextBuilder(), parse: parse}
		if n, given := opts.Notations[name]; given {
			c.parse, c.fixed = parse.with(n), true
			c.numeric = c.parse.readsPlainNumbers()
		}
		kind, given := opts.Kinds[name]
		c.keepTexts = !whole || c.fixed || given && kind != Number
		b.columns = append(b.columns, c)
	}
	return b
}

// append adds the row that starts in a line.
func (b *tableBuilder) append(cells [][]byte, line int) {
	for j, cell := range cells {
		b.columns[j].append(cell)
	}
	switch {
	case b.rows == 0:
		b.first = line
	case b.lines == nil && line != b.first+b.rows:
		for i := range b.rows {
			b.lines = append(b.lines, b.first+i)
		}
	}
	if b.lines != nil {
		b.lines = append(b.lines, line)
	}
	if b.rows++; b.rows == sampleRows && b.whole {
		b.beginNumbers()
	}
}

// beginNumbers changes columns with only plain numbers to store values instead of texts. A file with
// decimal commas keeps its texts, because a point may then separate thousands.
func (b *tableBuilder) beginNumbers() {
	var plain []*columnBuilder
	for _, c := range b.columns {
		if c.keepTexts {
			continue
		}
		t := tallyOf(&c.texts, c.parse)
		if t.decimalComma(c.parse, false) {
			return
		}
		if c.parse.with(t.notation(c.parse, false)).readsPlainNumbers() {
			plain = append(plain, c)
		}
	}
	for _, c := range plain {
		c.beginNumbers()
	}
}

// table returns the table of the rows. Columns without a notation are of UnknownKind, except for
// numbers of a whole file.
func (b *tableBuilder) table() *Table {
	t := &Table{rows: b.rows, first: b.first, lines: b.lines}
	for j, name := range b.names {
		c := b.columns[j].column(name)
		if b.columns[j].decoded {
			c.origin.encoding = "windows-1252"
		}
		t.columns = append(t.columns, c)
		b.columns[j] = nil // releases memory
	}
	return t
}

// columnBuilder collects the cells of a column as texts or, after beginNumbers, as numbers and the
// texts of other cells.
type columnBuilder struct {
	textBuilder
	parse     *parser
	fixed     bool // parse has the notation of the column
	keepTexts bool

	numeric bool
	chunks  [][]float64
	rows    int   // in chunks
	odd     []int // rows of the texts
}

func (b *columnBuilder) append(cell []byte) {
	if !b.numeric {
		b.textBuilder.append(cell)
		return
	}
	v, ok := plainNumber(cell)
	if !ok {
		v = math.NaN()
		b.odd = append(b.odd, b.rows)
		b.textBuilder.append(cell)
	}
	last := len(b.chunks) - 1
	if last < 0 || len(b.chunks[last]) == cap(b.chunks[last]) {
		b.chunks = append(b.chunks, make([]float64, 0, min(max(64, b.rows), 2*sampleRows)))
		last++
	}
	b.chunks[last] = append(b.chunks[last], v)
	b.rows++
}

func (b *columnBuilder) beginNumbers() {
	sample := b.texts
	decoded := b.decoded
	b.textBuilder, b.numeric = newTextBuilder(), true
	for _, code := range sample.codes {
		b.append([]byte(sample.levels[code]))
	}
	b.decoded = decoded
}

// column returns the column. Numbers with too many other cells become texts again, as decimals.
func (b *columnBuilder) column(name string) *Column {
	if !b.numeric {
		return textColumn(name, &b.texts, b.parse).converted()
	}
	values := make(numbers, 0, b.rows)
	for k, chunk := range b.chunks {
		values = append(values, chunk...)
		b.chunks[k] = nil // releases memory
	}
	if !b.fixed {
		t := tallyOf(&b.texts, b.parse)
		t.addNumbers(b.rows-len(b.odd), slices.Contains(values, 0))
		n := t.notation(b.parse, false)
		if b.parse = b.parse.with(n); n.Kind != Number {
			return b.textsOf(name, values)
		}
	}
	return b.numbersOf(name, values)
}

// numbersOf returns a column of numbers.
func (b *columnBuilder) numbersOf(name string, values numbers) *Column {
	c := &Column{name: name, kind: Number, cells: values, parse: b.parse}
	others := textColumn(name, &b.texts, b.parse).converted()
	c.gaps = others.gaps
	for k, row := range b.odd {
		if c.missing == nil && others.missing != nil {
			c.missing = make([]bool, len(values))
		}
		if others.Missing(k) {
			c.missing[row] = true
		} else if text, fault := others.faults[k]; fault {
			c.setFault(row, text)
		} else {
			values[row] = others.cells.(numbers)[k]
		}
	}
	return c
}

// textsOf returns a column of texts.
func (b *columnBuilder) textsOf(name string, values numbers) *Column {
	all, next := newTextBuilder(), 0
	for i, v := range values {
		if next < len(b.odd) && b.odd[next] == i {
			all.append([]byte(b.text(next)))
			next++
		} else {
			all.append([]byte(decimal(v)))
		}
	}
	return textColumn(name, &all.texts, b.parse).converted()
}
