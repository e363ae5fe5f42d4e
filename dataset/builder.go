package dataset

import (
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/rkhs-go/rkhs"
)

// valueType is the Go type of the cells of a column.
type valueType uint8

const (
	noValue valueType = iota
	integerValue
	numberValue
	boolValue
	timeValue
	textValue
)

// builder collects the cells of a column of one type. Integers become numbers and other mixtures
// become texts.
type builder struct {
	name     string
	of       valueType
	integers []int64
	numbers  []float64
	bools    []bool
	times    []time.Time
	texts    textBuilder
	missing  []bool
}

func (b *builder) len() int { return len(b.missing) }

// pad appends missing cells until the column has n cells.
func (b *builder) pad(n int) {
	for b.len() < n {
		b.addMissing()
	}
}

func (b *builder) addMissing() {
	b.grow(true)
}

// grow appends a zero cell of the current type.
func (b *builder) grow(missing bool) {
	b.missing = append(b.missing, missing)
	switch b.of {
	case integerValue:
		b.integers = append(b.integers, 0)
	case numberValue:
		b.numbers = append(b.numbers, 0)
	case boolValue:
		b.bools = append(b.bools, false)
	case timeValue:
		b.times = append(b.times, time.Time{})
	case textValue:
		b.texts.append(nil)
	}
}

// truncate removes the cells after the first n.
func (b *builder) truncate(n int) {
	if b.len() <= n {
		return
	}
	b.missing = b.missing[:n]
	switch b.of {
	case integerValue:
		b.integers = b.integers[:n]
	case numberValue:
		b.numbers = b.numbers[:n]
	case boolValue:
		b.bools = b.bools[:n]
	case timeValue:
		b.times = b.times[:n]
	case textValue:
		b.texts.codes = b.texts.codes[:n]
	}
}

func (b *builder) addInteger(v int64) {
	switch b.accept(integerValue) {
	case integerValue:
		b.integers[b.len()-1] = v
	case numberValue:
		b.numbers[b.len()-1] = float64(v)
	default:
		b.setText(strconv.FormatInt(v, 10))
	}
}

// addNumber adds a number. NaN is a missing cell and an infinity is an error.
func (b *builder) addNumber(v float64) error {
	if math.IsNaN(v) {
		b.addMissing()
		return nil
	}
	if math.IsInf(v, 0) {
		return fmt.Errorf("column %q: %v: %w", b.name, v, rkhs.ErrNotFinite)
	}
	if b.accept(numberValue) == numberValue {
		b.numbers[b.len()-1] = v
	} else {
		b.setText(decimal(v))
	}
	return nil
}

func (b *builder) addBool(v bool) {
	if b.accept(boolValue) == boolValue {
		b.bools[b.len()-1] = v
	} else {
		b.setText(strconv.FormatBool(v))
	}
}

// addTime adds a time. The zero time is a missing cell.
func (b *builder) addTime(v time.Time) {
	if v.IsZero() {
		b.addMissing()
		return
	}
	if b.accept(timeValue) == timeValue {
		b.times[b.len()-1] = v
	} else {
		b.setText(times{v}.text(0))
	}
}

// addText adds a text. The empty text is a missing cell.
func (b *builder) addText(v string) {
	if v == "" {
		b.addMissing()
		return
	}
	b.accept(textValue)
	b.setText(v)
}

// setText sets the last cell of a column of texts.
func (b *builder) setText(text string) { b.texts.codes[b.len()-1] = b.texts.level(text) }

// accept appends a zero cell of the given type, to which it converts the column if necessary. It
// returns the type of the column.
func (b *builder) accept(of valueType) valueType {
	switch {
	case b.of == of:
	case b.of == noValue:
		b.allocate(of)
	case b.of == integerValue && of == numberValue:
		b.allocate(numberValue)
		for i, v := range b.integers {
			b.numbers[i] = float64(v)
		}
		b.integers = nil
	case b.of == numberValue && of == integerValue:
	case b.of != textValue:
		b.toTexts()
	}
	b.grow(false)
	return b.of
}

// allocate sets the type of the column and allocates its cells so far.
func (b *builder) allocate(of valueType) {
	b.of = of
	n := b.len()
	switch of {
	case integerValue:
		b.integers = make([]int64, n)
	case numberValue:
		b.numbers = make([]float64, n)
	case boolValue:
		b.bools = make([]bool, n)
	case timeValue:
		b.times = make([]time.Time, n)
	case textValue:
		b.texts = newTextBuilder()
		for range n {
			b.texts.append(nil)
		}
	}
}

func (b *builder) toTexts() {
	t := builder{name: b.name, of: textValue, texts: newTextBuilder()}
	for i, missing := range b.missing {
		switch {
		case missing:
			t.addMissing()
		case b.of == integerValue:
			t.addInteger(b.integers[i])
		case b.of == numberValue:
			t.addText(decimal(b.numbers[i]))
		case b.of == boolValue:
			t.addBool(b.bools[i])
		default:
			t.addTime(b.times[i])
		}
	}
	*b = t
}

// column returns the column. Texts have UnknownKind.
func (b *builder) column(parse *parser) *Column {
	var c *Column
	switch b.of {
	case integerValue:
		c = IntegerColumn(b.name, b.integers, b.missing)
	case numberValue:
		c = NumberColumn(b.name, b.numbers, b.missing)
	case boolValue:
		c = BoolColumn(b.name, b.bools, b.missing)
	case timeValue:
		c = TimeColumn(b.name, b.times, b.missing)
	case textValue:
		return textColumn(b.name, &b.texts.texts, parse)
	default:
		return textColumn(b.name, &texts{make([]int32, b.len()), []string{""}}, parse)
	}
	return c.withParser(parse)
}

// endOfRows returns the table of a batch, or the error that ended it, or io.EOF without rows.
func endOfRows(columns []*builder, parse *parser, rows int, err error) (*Table, error) {
	switch {
	case err != nil:
		return nil, err
	case rows == 0:
		return nil, io.EOF
	}
	t := &Table{rows: rows}
	for _, b := range columns {
		t.columns = append(t.columns, b.column(parse))
	}
	return t, nil
}

// whole returns a table that has all rows, with the kinds of its columns.
func whole(t *Table, err error) (*Table, error) {
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", noRows(err))
	}
	if len(t.columns) == 0 {
		return nil, fmt.Errorf("dataset: %d rows without a value: %w", t.rows, rkhs.ErrEmpty)
	}
	findKinds(t.columns)
	return t, nil
}

// chunks converts the elements of a sequence in batches to tables. convert gets a batch, its size and
// the number of its first row.
func chunks[T any](rows iter.Seq[T], size int,
	convert func(rows iter.Seq[T], size, from int) (*Table, error)) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		next, stop := iter.Pull(rows)
		defer stop()
		from := 0
		read := func(n int) (*Table, error) {
			t, err := convert(func(yield func(T) bool) {
				for range n {
					if row, ok := next(); !ok || !yield(row) {
						return
					}
				}
			}, n, from)
			from += n
			return t, err
		}
		batches("", size, func(*files) (reader[*Table], error) { return read, nil })(yield)
	}
}
