package dataset

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/rkhs-go/rkhs"
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
