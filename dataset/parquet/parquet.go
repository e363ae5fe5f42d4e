// Package parquet reads Parquet files into a [dataset.Table]. It is a separate package because it
// depends on github.com/parquet-go/parquet-go.
//
// [Load] reads top-level columns of numbers, booleans (as true and false), texts, decimals, days and
// times (also INT96), compressed or not. Nested columns, lists and bytes of other types are ignored;
// Table.Notes reports them.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// loadRows is the batch size of Load.
const loadRows = 4096

// Load reads the whole file at path and finds the kinds of the columns like dataset.ReadTable. Of
// opts, Kinds, Missing and Dates have an effect. Errors wrap rkhs.ErrFormat for a damaged file or a
// file with only ignored columns, rkhs.ErrEmpty for a file without rows, rkhs.ErrNotFinite for an
// infinity, and rkhs.ErrOption. O(bytes).
func Load(path string, opts dataset.TableOptions) (*dataset.Table, error) {
	return dataset.CollectTables(Batches(path, loadRows, opts), opts.Kinds)
}

// Batches reads a file in batches of the given number of rows. The last batch may be smaller.
// Columns of texts have dataset.UnknownKind. An error ends the iteration.
func Batches(path string, rows int, opts dataset.TableOptions) iter.Seq2[*dataset.Table, error] {
	return func(yield func(*dataset.Table, error) bool) {
		if err := each(path, rows, opts, yield); err != nil {
			yield(nil, fmt.Errorf("dataset: %s: %w", path, err))
		}
	}
}

func each(path string, rows int, opts dataset.TableOptions, yield func(*dataset.Table, error) bool) error {
	if rows <= 0 {
		return fmt.Errorf("batches of %d rows: %w", rows, rkhs.ErrOption)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var file *parquet.File
	var content parquet.Rows
	if err := guard(func() (err error) {
		if file, err = parquet.OpenFile(f, info.Size()); err == nil {
			content = parquet.MultiRowGroup(file.RowGroups()...).Rows()
		}
		return err
	}); err != nil {
		return err
	}
	defer content.Close()
	columns, err := columnsOf(file.Schema())
	if err != nil {
		return err
	}
	return columns.batches(content, rows, opts, yield)
}

// guard calls do and adds rkhs.ErrFormat to its errors. The library panics on some damaged files.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v: %w", p, rkhs.ErrFormat)
		}
	}()
	if err = do(); err != nil && err != io.EOF && !errors.Is(err, rkhs.ErrNotFinite) {
		return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
	}
	return err
}

// columns are the columns of a file.
type columns struct {
	leaves  []int // the column of each leaf of the schema, or −1
	list    []column
	ignored notes
}

func columnsOf(schema *parquet.Schema) (c columns, err error) {
	for _, field := range schema.Fields() {
		column, reason := columnOf(field)
		if reason != "" {
			c.ignored = append(c.ignored, dataset.Note{Column: field.Name(), Ignored: reason})
			for range leavesOf(field) {
				c.leaves = append(c.leaves, -1)
			}
			continue
		}
		c.leaves = append(c.leaves, len(c.list))
		c.list = append(c.list, column)
	}
	if len(c.list) == 0 {
		return c, fmt.Errorf("no column of numbers, texts or times, only %s: %w", c.ignored, rkhs.ErrFormat)
	}
	return c, nil
}

// notes are the ignored columns.
type notes []dataset.Note

func (n notes) String() string {
	var list []string
	for _, note := range n[:min(len(n), 8)] {
		list = append(list, fmt.Sprintf("%q (%s)", note.Column, note.Ignored))
	}
	return strings.Join(list, ", ")
}

// leavesOf returns the number of leaves of a node of the schema.
func leavesOf(n parquet.Node) (count int) {
	if n.Leaf() {
		return 1
	}
	for _, field := range n.Fields() {
		count += leavesOf(field)
	}
	return count
}

// batches yields tables of the given number of rows until yield returns false.
func (c *columns) batches(rows parquet.Rows, size int, opts dataset.TableOptions, yield func(*dataset.Table, error) bool) error {
	for count := 0; ; {
		n, err := c.read(rows, size, count)
		if err != nil && err != io.EOF {
			return err
		}
		if count += n; count == 0 {
			return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
		}
		if n > 0 {
			t, err := c.table(n, opts)
			if err != nil {
				return err
			}
			if !yield(t, nil) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// table returns the rows that were read.
func (c *columns) table(rows int, opts dataset.TableOptions) (*dataset.Table, error) {
	var list []*dataset.Column
	for _, column := range c.list {
		list = append(list, column.take())
	}
	t, err := dataset.TableOf(list...)
	if err == nil {
		t, err = t.WithReading(opts)
	}
	if err != nil {
		return nil, err
	}
	notes := slices.Clone(c.ignored)
	for i := range notes {
		notes[i].Cells = rows
	}
	return t.WithIgnored(notes...), nil
}

// read adds the next size rows, or the last rows and io.EOF. from is the number of rows before.
func (c *columns) read(rows parquet.Rows, size, from int) (count int, err error) {
	buffer := make([]parquet.Row, min(size, 256))
	for count < size && err == nil {
		var n int
		err = guard(func() (err error) {
			n, err = rows.ReadRows(buffer[:min(len(buffer), size-count)])
			return err
		})
		for _, row := range buffer[:n] {
			if err := guard(func() error { return c.add(row) }); err != nil {
				return count, fmt.Errorf("row %d: %w", from+count, err)
			}
			count++
		}
		if err != nil && err != io.EOF {
			return count, fmt.Errorf("row %d: %w", from+count, err)
		}
	}
	return count, err
}

// add adds the cells of a row.
func (c *columns) add(row parquet.Row) error {
	for _, v := range row {
		j := c.leaves[v.Column()]
		switch {
		case j < 0:
		case v.IsNull():
			c.list[j].addMissing()
		default:
			if err := c.list[j].add(v); err != nil {
				return err
			}
		}
	}
	return nil
}
