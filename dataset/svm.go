package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/rkhs-go/rkhs"
)

// maxIndex is the largest index of a feature in an svmlight file.
const maxIndex = 1<<31 - 1

// ReadSVM reads the text format of SVMlight and LIBSVM: one row a line,
//
//	target [qid:number] index:value index:value …  # comment
//
// with indices that count from 1 and ascend; features that are not named are 0.
// The result is dense, that of ReadSparse is not: Options.Cols sets its number of columns, and
// Options.MaxValues limits its size. An index is at most 2³¹−1.
//
// Errors wrap rkhs.ErrFormat or rkhs.ErrNotFinite and name the line and the
// field, of which the target is the first; rkhs.ErrShape for an index beyond
// Options.Cols; rkhs.ErrEmpty if there are no rows or no features;
// rkhs.ErrMemory if the result would exceed Options.MaxValues.
// O(bytes + rows·columns).
func ReadSVM(r io.Reader, opts Options) (*Set, error) {
	return readText(r, SVMFormat, opts)
}

type svmReader struct {
	lines lines
	opts  Options
}

// read returns the next rows of the file, at most n, or io.EOF.
func (s *svmReader) read(n int) (*Set, error) {
	rows, err := s.rows(n)
	if err != nil {
		return nil, err
	}
	return rows.dense(s.opts)
}

// readSparse is read without zeros.
func (s *svmReader) readSparse(n int) (*SparseSet, error) {
	rows, err := s.rows(n)
	if err != nil {
		return nil, err
	}
	return rows.set(s.opts)
}

func (s *svmReader) rows(n int) (*sparse, error) {
	var rows sparse
	for len(rows.y) < n {
		line, err := s.lines.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = s.appendRow(&rows, line)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(rows.y) == 0 {
		return nil, io.EOF
	}
	rows.join()
	return &rows, nil
}

func (s *svmReader) appendRow(rows *sparse, line []byte) error {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	last := 0
	for position, more := 1, true; more; position++ {
		var field []byte
		var err error
		field, line, more, err = cut(line, ' ')
		switch {
		case err != nil:
		case position == 1:
			err = rows.appendTarget(field)
		case position == 2 && bytes.HasPrefix(field, []byte("qid:")):
			err = checkQuery(field)
		default:
			last, err = rows.appendFeature(field, last)
		}
		if err == nil && s.opts.Cols > 0 && last > s.opts.Cols {
			err = fmt.Errorf("index %d, want at most Cols = %d: %w", last, s.opts.Cols, rkhs.ErrShape)
		}
		if err != nil {
			return fmt.Errorf("line %d, field %d: %w", s.lines.number, position, err)
		}
	}
	rows.endRow()
	return nil
}

// checkQuery accepts the number of a query, which ranking uses and we do not.
func checkQuery(field []byte) error {
	if _, err := strconv.ParseUint(string(field[len("qid:"):]), 10, 64); err != nil {
		return fmt.Errorf("%q is not qid:number: %w", clip(field), rkhs.ErrFormat)
	}
	return nil
}
