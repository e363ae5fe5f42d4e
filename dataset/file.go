package dataset

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// reader reads a table forward.
type reader interface {
	// read returns the next rows, at most n, or io.EOF when there are no more.
	read(n int) (*Set, error)
}

func newTextReader(r *bufio.Reader, f Format, opts Options) reader {
	if f == SVMFormat {
		return &svmReader{lines: lines{r: r}, opts: opts}
	}
	return &csvReader{lines: lines{r: r}, opts: opts}
}

func readText(r io.Reader, f Format, opts Options) (*Set, error) {
	err := opts.check()
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	b, err := inflate(r)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	s, err := readAll(newTextReader(b, f, opts))
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return s, nil
}

func readAll(r reader) (*Set, error) {
	s, err := r.read(math.MaxInt)
	return s, noRows(err)
}

// noRows translates the end of a file that had no rows.
func noRows(err error) error {
	if err == io.EOF {
		return fmt.Errorf("no rows: %w", rkhs.ErrEmpty)
	}
	return err
}

// file is a reader with the files that it reads from.
type file struct {
	reader
	format Format
	opened []*os.File
}

func open(path string, opts Options) (*file, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	f := new(file)
	if err := f.begin(path, opts); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *file) begin(path string, opts Options) error {
	r, err := f.contents(path)
	if err != nil {
		return err
	}
	f.format = formatOf(path, r)
	if f.format != IDXFormat {
		f.reader = newTextReader(r, f.format, opts)
		return nil
	}
	if opts.Target == NoTarget {
		f.reader, err = newIDXReader(r)
		return err
	}
	labels, err := labelsPath(path)
	if err != nil {
		return err
	}
	return f.beginPair(r, labels)
}

// contents opens a file and decompresses it if need be.
func (f *file) contents(path string) (*bufio.Reader, error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f.opened = append(f.opened, o)
	return inflate(o)
}

func (f *file) close() {
	for _, o := range f.opened {
		o.Close() // an error would mean nothing: all was read
	}
}

// bufferSize is that of every buffer between a file and its values, in bytes.
const bufferSize = 64 << 10

// inflate returns the contents of r, decompressed if they begin with the two
// magic bytes of gzip. Errors in reading come through damage.
func inflate(r io.Reader) (*bufio.Reader, error) {
	if door.IsNil(r) {
		return nil, fmt.Errorf("the reader is nil: %w", rkhs.ErrEmpty)
	}
	b := bufio.NewReaderSize(r, bufferSize)
	if head, err := b.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return b, nil // an error of the source comes again with the first read
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("gzip header: %w", damage(err))
	}
	return bufio.NewReaderSize(z, bufferSize), nil
}

// damage adds rkhs.ErrFormat to the errors that mean that a file was cut off or
// corrupted, as against one that could not be read.
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
