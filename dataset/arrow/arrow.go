// Package arrow converts record batches of Apache Arrow to [dataset.Table] and predictions to record
// batches, and reads IPC files and streams (Feather version 2). It is a separate package because it
// depends on github.com/apache/arrow-go.
//
// Numbers, decimals, booleans, texts, dictionaries, days and timestamps become columns. Null and NaN
// are missing cells. Nested columns, intervals and bytes are ignored; Table.Notes reports them.
//
// The library trusts the schema of a file: a damaged schema can exhaust the memory. Sizes of buffers
// and messages are limited by the size of the file.
package arrow

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// FromRecords returns the table of record batches with the same columns, and finds the kinds of
// texts. It copies the values. No rows are rkhs.ErrEmpty, different columns rkhs.ErrShape, and
// infinities rkhs.ErrNotFinite. O(cells).
func FromRecords(records ...arrow.RecordBatch) (*dataset.Table, error) {
	var parts []*dataset.Table
	for _, r := range records {
		t, err := tableOf(r)
		if err != nil {
			return nil, fmt.Errorf("dataset: %w", err)
		}
		parts = append(parts, t)
	}
	t, err := dataset.ConcatTables(parts...)
	if err != nil {
		return nil, err
	}
	if n, _ := t.Dims(); n == 0 {
		return nil, fmt.Errorf("dataset: no rows: %w", rkhs.ErrEmpty)
	}
	return t, nil
}

// Load reads the whole IPC file or stream at path. Of opts, Kinds, Missing and Dates have an effect.
// Errors are as for FromRecords, and rkhs.ErrFormat for a damaged file. O(bytes).
func Load(path string, opts dataset.TableOptions) (*dataset.Table, error) {
	return dataset.CollectTables(Batches(path, math.MaxInt, opts), opts.Kinds)
}

// Batches reads an IPC file or stream in tables of at most the given number of rows. A table does
// not span record batches. Columns of texts have dataset.UnknownKind. An error ends the iteration.
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
	var next func() (arrow.RecordBatch, error)
	if err := guard(func() (err error) {
		next, err = open(f)
		return err
	}); err != nil {
		return err
	}
	for count := 0; ; {
		var record arrow.RecordBatch
		if err := guard(func() (err error) {
			record, err = next()
			return err
		}); err == io.EOF {
			if count == 0 {
				return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
			}
			return nil
		} else if err != nil {
			return fmt.Errorf("after row %d: %w", count, err)
		}
		count += int(record.NumRows())
		if more, err := slices(record, int64(rows), opts, yield); err != nil || !more {
			return err
		}
	}
}

// slices yields the rows of a record batch in tables of the given number of rows.
func slices(record arrow.RecordBatch, rows int64, opts dataset.TableOptions,
	yield func(*dataset.Table, error) bool) (more bool, err error) {
	for from := int64(0); from < record.NumRows(); from += min(rows, record.NumRows()) {
		part := record.NewSlice(from, min(record.NumRows(), from+min(rows, record.NumRows())))
		var t *dataset.Table
		err := guard(func() (err error) {
			t, err = tableOf(part)
			return err
		})
		if err == nil {
			t, err = t.WithReading(opts)
		}
		part.Release()
		if err != nil {
			return false, err
		}
		if !yield(t, nil) {
			return false, nil
		}
	}
	return true, nil
}

// open returns a function that returns the record batches of a file or a stream, and then io.EOF.
func open(f *os.File) (func() (arrow.RecordBatch, error), error) {
	head := make([]byte, 6)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, fmt.Errorf("the file is cut off: %w", rkhs.ErrFormat)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, err
	}
	options := []ipc.Option{ipc.WithMetadataSizeLimit(size), ipc.WithBodySizeLimit(size),
		ipc.WithAllocator(&allocator{memory.DefaultAllocator, maxExpansion*size + 1<<20})}
	if string(head) != "ARROW1" {
		r, err := ipc.NewReader(bufio.NewReader(f), options...)
		if err != nil {
			return nil, err
		}
		return r.Read, nil
	}
	r, err := ipc.NewFileReader(f, options...)
	if err != nil {
		return nil, err
	}
	return r.Read, nil
}

// guard calls do and adds rkhs.ErrFormat to its errors. The library panics on some damaged files.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v: %w", p, rkhs.ErrFormat)
		}
	}()
	err = do()
	if err == nil || err == io.EOF || errors.Is(err, rkhs.ErrNotFinite) {
		return err
	}
	return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
}

// maxExpansion is the maximum size of a buffer, which may be decompressed, relative to the size of
// the file.
const maxExpansion = 1024

// allocator panics if a damaged file states a buffer larger than most bytes.
type allocator struct {
	memory.Allocator
	most int64
}

// Allocate allocates a buffer.
func (a *allocator) Allocate(size int) []byte {
	if int64(size) > a.most {
		panic(fmt.Sprintf("a buffer of %d bytes", size))
	}
	return a.Allocator.Allocate(size)
}

// Reallocate changes the size of a buffer.
func (a *allocator) Reallocate(size int, b []byte) []byte {
	if int64(size) > a.most {
		panic(fmt.Sprintf("a buffer of %d bytes", size))
	}
	return a.Allocator.Reallocate(size, b)
}
