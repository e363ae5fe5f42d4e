package dataset

import (
	"fmt"
	"io"
	"iter"

	"github.com/rkhs-go/rkhs"
)

// Load reads the file at path whole. The name tells the format, apart from an
// ending .gz: .csv and .tsv are CSV, .svm, .svmlight and .libsvm are svmlight,
// .idx, .idx3-ubyte and names that end in -idx3-ubyte are IDX. For other names
// the contents tell it: two zero bytes begin IDX, a first number followed by
// index:value is svmlight, and all else CSV. Whether it is compressed follows
// from the contents alone.
//
// An IDX file must be one of images; the labels are taken from the file whose
// name has labels for images and idx1 for idx3, as for MNIST, unless
// Options.Target is NoTarget.
//
// Errors are those of ReadCSV, ReadSVM, LoadIDXPair and of opening files.
func Load(path string, opts Options) (*Set, error) {
	s, err := load(path, opts)
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", path, err)
	}
	return s, nil
}

func load(path string, opts Options) (*Set, error) {
	f, err := open(path, opts)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return readAll(f)
}

// Batches reads the file at path as Load does, but gives its rows in batches of
// the given number, the last one perhaps smaller, each in memory of its own.
// Each iteration opens the file anew. An error ends the iteration; the batch in
// which it lies is not given, those before it were. An svmlight file needs
// Options.Cols.
func Batches(path string, rows int, opts Options) iter.Seq2[*Set, error] {
	return func(yield func(*Set, error) bool) {
		if err := eachBatch(path, rows, opts, yield); err != nil {
			yield(nil, fmt.Errorf("dataset: %s: %w", path, err))
		}
	}
}

// eachBatch returns nil when the rows are at their end or yield has had enough.
func eachBatch(path string, rows int, opts Options, yield func(*Set, error) bool) error {
	if rows <= 0 {
		return fmt.Errorf("batches of %d rows: %w", rows, rkhs.ErrOption)
	}
	f, err := open(path, opts)
	if err != nil {
		return err
	}
	defer f.close()
	if f.format == SVMFormat && opts.Cols == 0 {
		return fmt.Errorf("option Cols = 0, want the number of columns of an svmlight file read in batches: %w", rkhs.ErrOption)
	}
	return eachRead(rows, f.read, yield)
}

// eachRead yields what read gives, so many rows at a time, of which there must be one.
func eachRead[S any](rows int, read func(n int) (S, error), yield func(S, error) bool) error {
	for given := false; ; given = true {
		s, err := read(rows)
		if err == io.EOF && given {
			return nil
		}
		if err != nil {
			return noRows(err)
		}
		if !yield(s, nil) {
			return nil
		}
	}
}
