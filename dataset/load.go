package dataset

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Load reads the whole file at path, which gzip may compress. The name selects the format, after
// an ending .gz is removed:
//
//	CSV       .csv, .tsv
//	svmlight  .svm, .svmlight, .libsvm
//	IDX       .idx, .idx3-ubyte, -idx3-ubyte
//
// For other names the contents select it: the first two bytes of IDX are zero, svmlight has index:value
// after the first number, and all other files are CSV.
//
// An IDX file must hold images. The name of its file of labels has "labels" for "images" and "idx1"
// for "idx3", as for MNIST. Options.Target = NoTarget reads images without labels.
//
// Errors are as for ReadCSV, ReadSVM, LoadIDXPair and os.Open.
func Load(path string, opts Options) (*Set, error) { return first(Batches(path, math.MaxInt, opts)) }

// Batches reads the file at path like Load, in batches of the given number of rows. The last batch
// may be smaller. Each batch has its own memory, and each iteration opens the file anew. An error
// ends the iteration and drops the batch in which it occurs. An svmlight file needs Options.Cols.
func Batches(path string, rows int, opts Options) iter.Seq2[*Set, error] {
	return batches(path, rows, func(f *files) (reader[*Set], error) {
		return f.open(path, opts, rows < math.MaxInt)
	})
}

// reader returns the next rows, at most n, or io.EOF after the last row.
type reader[S any] func(n int) (S, error)

// batches returns an iterator over the rows of the reader that open returns. The path is part of the
// errors unless it is empty.
func batches[S any](path string, rows int, open func(f *files) (reader[S], error)) iter.Seq2[S, error] {
	if path != "" {
		path += ": "
	}
	return func(yield func(S, error) bool) {
		if err := eachBatch(rows, open, yield); err != nil {
			var none S
			yield(none, fmt.Errorf("dataset: %s%w", path, err))
		}
	}
}

// eachBatch yields batches until the rows end or yield returns false. A file without rows is an
// error.
func eachBatch[S any](rows int, open func(f *files) (reader[S], error), yield func(S, error) bool) error {
	if rows <= 0 {
		return fmt.Errorf("batches of %d rows: %w", rows, rkhs.ErrOption)
	}
	f := new(files)
	defer f.close()
	read, err := open(f)
	if err != nil {
		return err
	}
	for count := 0; ; count++ {
		s, err := read(rows)
		switch {
		case err == io.EOF && count > 0:
			return nil
		case err != nil:
			return noRows(err)
		case !yield(s, nil):
			return nil
		}
	}
}

// first returns the first element of an iterator, which has at least one.
func first[S any](all iter.Seq2[S, error]) (s S, err error) {
	for s, err = range all {
		break
	}
	return s, err
}

// readText reads all rows of a text.
func readText[S any](r io.Reader, opts Options, rows func(*bufio.Reader) reader[S]) (S, error) {
	return first(batches("", math.MaxInt, func(*files) (reader[S], error) {
		if err := opts.check(); err != nil {
			return nil, err
		}
		b, err := inflate(r)
		if err != nil {
			return nil, err
		}
		return rows(b), nil
	}))
}

// noRows replaces io.EOF, the end of a file without rows.
func noRows(err error) error {
	if err == io.EOF {
		return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
	}
	return err
}

// files are the open files of a reader.
type files []*os.File

// open returns a reader of the rows of a file. Rows in parts are read in several calls.
func (f *files) open(path string, opts Options, parts bool) (reader[*Set], error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	b, err := f.contents(path)
	if err != nil {
		return nil, err
	}
	switch format := formatOf(path, b); {
	case format == CSVFormat:
		return csvRows(b, opts), nil
	case format == SVMFormat && parts && opts.Cols == 0:
		return nil, errNoCols
	case format == SVMFormat:
		return svmRows(b, opts), nil
	case opts.Target == NoTarget:
		images, err := newIDXReader(b)
		if err != nil {
			return nil, err
		}
		return images.read, nil
	}
	labels, err := labelsPath(path)
	if err != nil {
		return nil, err
	}
	return f.openPair(b, labels)
}

// contents opens a file and decompresses it if necessary.
func (f *files) contents(path string) (*bufio.Reader, error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	*f = append(*f, o)
	return inflate(o)
}

func (f *files) close() {
	for _, o := range *f {
		o.Close() // files are only read, so an error has no effect
	}
}

// bufferSize is the size of all read buffers in bytes.
const bufferSize = 64 << 10

// inflate returns the contents of r, decompressed if they begin with the magic bytes of gzip.
func inflate(r io.Reader) (*bufio.Reader, error) {
	if input.IsNil(r) {
		return nil, fmt.Errorf("the reader is nil: %w", rkhs.ErrEmpty)
	}
	b := bufio.NewReaderSize(r, bufferSize)
	if head, err := b.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return b, nil // the first read returns the error again
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("gzip header: %w", damage(err))
	}
	return bufio.NewReaderSize(z, bufferSize), nil
}

// damage adds rkhs.ErrFormat to errors of a truncated or corrupted file, but not to errors of the
// file system.
func damage(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is cut off: %w", rkhs.ErrFormat)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
	}
	return err
}
