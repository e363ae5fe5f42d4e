// Package parquet reads Parquet files into a [dataset.Table]. It is a separate package because it
// depends on github.com/parquet-go/parquet-go.
//
// [Load] reads top-level columns of numbers, booleans (as true and false), texts, decimals, days and
// times, compressed or not. Nested fields, lists and INT96 are rkhs.ErrFormat.
package parquet

import (
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// loadRows is the batch size of Load.
const loadRows = 4096

// Load reads the whole file at path and finds the kinds of the columns like dataset.ReadTable. Of
// opts, Kinds, Missing and Dates have an effect. Errors wrap rkhs.ErrFormat for a damaged file or
// an unsupported column type, rkhs.ErrEmpty for a file without rows, and rkhs.ErrOption. O(bytes).
func Load(path string, opts dataset.TableOptions) (*dataset.Table, error) {
	var parts []*dataset.Table
	for t, err := range Batches(path, loadRows, opts) {
		if err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	t, err := dataset.ConcatTables(parts...)
	if err == nil {
		t, err = t.WithKinds(opts.Kinds)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Batches reads a file in batches of the given number of rows. The last batch may be smaller. All
// kinds are dataset.UnknownKind. An error ends the iteration.
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
	return columns.batches(content, rows, dataset.TableOptions{Missing: opts.Missing, Dates: opts.Dates}, yield)
}

// guard calls do and adds rkhs.ErrFormat to its errors. The library panics on some damaged files.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v: %w", p, rkhs.ErrFormat)
		}
	}()
	if err = do(); err != nil && err != io.EOF {
		return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
	}
	return err
}

// columns are the columns of a file.
type columns struct {
	names []string
	texts []func(parquet.Value) (string, error)
}

func columnsOf(schema *parquet.Schema) (c columns, err error) {
	for _, field := range schema.Fields() {
		text, err := textOf(field)
		if err != nil {
			return c, fmt.Errorf("column %q: %w", field.Name(), err)
		}
		c.names, c.texts = append(c.names, field.Name()), append(c.texts, text)
	}
	return c, nil
}

// batches yields tables of the given number of rows until yield returns false.
func (c columns) batches(rows parquet.Rows, size int, opts dataset.TableOptions, yield func(*dataset.Table, error) bool) error {
	for count := 0; ; {
		cells, err := c.read(rows, size)
		if err != nil && err != io.EOF {
			return fmt.Errorf("row %d: %w", count+len(cells), err)
		}
		if count += len(cells); count == 0 {
			return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
		}
		if len(cells) > 0 {
			t, err := dataset.NewTable(c.names, cells, opts)
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

// read returns the texts of the next size rows, or of the last rows and io.EOF.
func (c columns) read(rows parquet.Rows, size int) (cells [][]string, err error) {
	buffer := make([]parquet.Row, min(size, 256))
	for len(cells) < size && err == nil {
		var n int
		err = guard(func() (err error) {
			n, err = rows.ReadRows(buffer[:min(len(buffer), size-len(cells))])
			return err
		})
		for _, row := range buffer[:n] {
			texts, err := c.cells(row)
			if err != nil {
				return cells, err
			}
			cells = append(cells, texts)
		}
	}
	return cells, err
}

// cells returns the texts of a row.
func (c columns) cells(row parquet.Row) ([]string, error) {
	cells := make([]string, len(c.names))
	for _, v := range row {
		if v.IsNull() {
			continue
		}
		var err error
		if cells[v.Column()], err = c.texts[v.Column()](v); err != nil {
			return nil, fmt.Errorf("column %q: %w", c.names[v.Column()], err)
		}
	}
	return cells, nil
}
