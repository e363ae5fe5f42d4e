package dataset

import (
	"fmt"
	"reflect"

	"github.com/rkhs-go/rkhs"
)

const (
	// cellsPerByte and freeCells limit the cells of a table of objects. Otherwise a small file in
	// which each key occurs in few objects could exhaust the memory.
	cellsPerByte = 8
	freeCells    = 1 << 20
)

// objects collects rows of named values. The cells of a column before its first value are missing.
type objects struct {
	columns []*builder
	index   map[string]int
	rows    int
	ignored map[string]int // counts of nested values by name
}

// begin starts a batch. It keeps the names of the columns.
func (o *objects) begin() {
	if o.index == nil {
		o.index = map[string]int{}
	}
	for j, b := range o.columns {
		o.columns[j] = &builder{name: b.name}
	}
	o.rows, o.ignored = 0, nil
}

// column returns the column of a name, with a cell for each row before the current one. A duplicate
// name in a row is rkhs.ErrFormat.
func (o *objects) column(name string) (*builder, error) {
	j, known := o.index[name]
	if !known {
		j = len(o.columns)
		o.index[name] = j
		o.columns = append(o.columns, &builder{name: name})
	}
	b := o.columns[j]
	if b.len() > o.rows {
		return nil, fmt.Errorf("the key %q occurs twice: %w", clip([]byte(name)), rkhs.ErrFormat)
	}
	b.pad(o.rows)
	return b, nil
}

// ignore counts a nested value.
func (o *objects) ignore(name string) {
	if o.ignored == nil {
		o.ignored = map[string]int{}
	}
	o.ignored[name]++
}

// endRow ends a row. size is the number of bytes of all rows.
func (o *objects) endRow(size int) error {
	o.rows++
	if len(o.columns) > (cellsPerByte*size+freeCells)/o.rows {
		return fmt.Errorf("%d rows of %d keys have mostly missing cells: %w", o.rows, len(o.columns), rkhs.ErrMemory)
	}
	return nil
}

// undo removes the cells of the current row.
func (o *objects) undo() {
	for _, b := range o.columns {
		b.truncate(o.rows)
	}
}

// table returns the rows of the batch.
func (o *objects) table(parse *parser, err error) (*Table, error) {
	for _, b := range o.columns {
		b.pad(o.rows)
	}
	t, err := endOfRows(o.columns, parse, o.rows, err)
	if err != nil {
		return nil, err
	}
	return t.WithIgnored(o.notes()...), nil
}

// notes returns a note for each name with nested values.
func (o *objects) notes() (list []Note) {
	for _, name := range sortedKeys(o.ignored) {
		list = append(list, Note{Column: name, Cells: o.ignored[name], Ignored: "nested values"})
	}
	return list
}

// isNested reports whether a value has elements or fields.
func isNested(v any) bool {
	t := reflect.TypeOf(v)
	return t != nil && !supported(t) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Array || t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer)
}
