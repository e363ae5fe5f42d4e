// Package parquet reads Parquet files into tables of package dataset. It is a package of its
// own since it brings a library, github.com/parquet-go/parquet-go, that nothing else of this
// module needs.
//
// Columns of the top level are read, of any physical type but INT96, whether compressed or
// not: numbers, booleans (as true and false), texts, decimals, days and points in time. Fields inside fields
// and lists are rkhs.ErrFormat, which names the column: flatten them before.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// loadRows is the number of rows that Load reads at a time.
const loadRows = 4096

// Load reads the file at path whole. Kinds of the columns are found from their cells, as
// dataset.ReadTable finds them; of opts Kinds and Missing have an effect. Errors wrap
// rkhs.ErrFormat for a file that is not Parquet, is damaged, or has a column of a type that is not
// read, rkhs.ErrEmpty for one without rows, and rkhs.ErrOption. O(bytes).
func Load(path string, opts dataset.TableOptions) (*dataset.Table, error) {
	var parts []*dataset.Table
	for t, err := range Batches(path, loadRows, opts) {
		if err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	t, err := dataset.ConcatTables(parts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if t, err = t.WithKinds(opts.Kinds); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Batches reads a file in batches of the given number of rows, the last one perhaps
// smaller. The kinds of columns are not found. An error ends the iteration.
func Batches(path string, rows int, opts dataset.TableOptions) iter.Seq2[*dataset.Table, error] {
	return func(yield func(*dataset.Table, error) bool) {
		if err := each(path, rows, opts, yield); err != nil {
			yield(nil, fmt.Errorf("dataset: %s: %w", path, err))
		}
	}
}

// errEnough says that no more rows are wanted.
var errEnough = errors.New("enough")

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
	if err := guarded(func() (err error) {
		file, err = parquet.OpenFile(f, info.Size())
		return err
	}); err != nil {
		return err
	}
	b, err := newBatcher(file.Schema(), rows, opts, yield)
	if err != nil {
		return err
	}
	for _, group := range file.RowGroups() {
		if err := b.group(group); errors.Is(err, errEnough) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return b.end()
}

// guarded is do, of which any error is one of the format; the library panics on some files that
// are damaged.
func guarded(do func() error) (err error) {
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

// batcher makes tables of rows.
type batcher struct {
	names   []string
	texts   []func(parquet.Value) (string, error) // of each column
	opts    dataset.TableOptions
	size    int
	cells   [][]string
	yielded int
	yield   func(*dataset.Table, error) bool
}

func newBatcher(schema *parquet.Schema, size int, opts dataset.TableOptions, yield func(*dataset.Table, error) bool) (*batcher, error) {
	b := &batcher{opts: opts, size: size, yield: yield}
	for _, field := range schema.Fields() {
		text, err := textOf(field)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", field.Name(), err)
		}
		b.names, b.texts = append(b.names, field.Name()), append(b.texts, text)
	}
	return b, nil
}

func (b *batcher) group(g parquet.RowGroup) error {
	rows := g.Rows()
	defer rows.Close()
	space := make([]parquet.Row, 256)
	for {
		var n int
		err := guarded(func() (err error) {
			n, err = rows.ReadRows(space)
			return err
		})
		for _, row := range space[:n] {
			if err := b.add(row); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", b.yielded+len(b.cells), err)
		}
	}
}

func (b *batcher) add(row parquet.Row) error {
	cells := make([]string, len(b.names))
	for _, v := range row {
		if v.IsNull() {
			continue
		}
		var err error
		if cells[v.Column()], err = b.texts[v.Column()](v); err != nil {
			return fmt.Errorf("row %d, column %q: %w", b.yielded+len(b.cells), b.names[v.Column()], err)
		}
	}
	if b.cells = append(b.cells, cells); len(b.cells) < b.size {
		return nil
	}
	return b.flush()
}

func (b *batcher) flush() error {
	t, err := dataset.NewTable(b.names, b.cells, dataset.TableOptions{Missing: b.opts.Missing, Dates: b.opts.Dates})
	if err != nil {
		return err
	}
	b.yielded += len(b.cells)
	b.cells = nil
	if !b.yield(t, nil) {
		return errEnough
	}
	return nil
}

// end yields what is left.
func (b *batcher) end() error {
	if len(b.cells) > 0 {
		if err := b.flush(); !errors.Is(err, errEnough) {
			return err
		}
		return nil
	}
	if b.yielded == 0 {
		return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
	}
	return nil
}
