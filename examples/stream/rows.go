package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// rowReader reads rows of numbers, and counts the lines that are none.
type rowReader struct {
	r       *bufio.Reader
	columns int // that rows have; 0 until one was seen
	target  int // as the flag has it
	whole   bool
	fields  []float64

	line, bad int
	notes     []string // on the first bad lines
}

const (
	maxLine  = 1 << 20 // bytes; a longer line is bad
	maxNotes = 10
)

func newRowReader(r io.Reader, c config, columns int) *rowReader {
	return &rowReader{r: bufio.NewReaderSize(r, maxLine), columns: columns, target: c.target, whole: c.classify}
}

// next returns the inputs and the target of the next row, valid until the next
// call. The error is io.EOF at the end, or that of the reader.
func (r *rowReader) next() (x []float64, y float64, err error) {
	for {
		line, err := r.read()
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			r.refuse("longer than %d bytes", maxLine)
			continue
		case err != nil:
			return nil, 0, err
		}
		if err := r.parse(line); err != nil {
			r.refuse("%v", err)
			continue
		}
		at := r.place(len(r.fields))
		y = r.fields[at]
		copy(r.fields[at:], r.fields[at+1:])
		return r.fields[:len(r.fields)-1], y, nil
	}
}

// read returns the next line without its end. Of a line that is too long nothing
// is kept, and the error is bufio.ErrBufferFull.
func (r *rowReader) read() ([]byte, error) {
	r.line++
	line, err := r.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.r.ReadSlice('\n')
		}
		return nil, bufio.ErrBufferFull
	}
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil // a last line without an end
	}
	return line, err
}

func (r *rowReader) parse(line []byte) error {
	r.fields = r.fields[:0]
	for rest, more := line, true; more; {
		var field []byte
		field, rest, more = bytes.Cut(rest, []byte{','})
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(field)), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("column %d is no finite number", len(r.fields)+1)
		}
		r.fields = append(r.fields, v)
	}
	n := len(r.fields)
	switch {
	case r.columns > 0 && n != r.columns:
		return fmt.Errorf("%d columns, those before have %d", n, r.columns)
	case n < 2 || r.place(n) < 0 || r.place(n) >= n:
		return fmt.Errorf("%d columns, without inputs or without column %d", n, r.target)
	case r.whole && r.fields[r.place(n)] != math.Trunc(r.fields[r.place(n)]):
		return errors.New("the label is no whole number")
	}
	r.columns = n
	return nil
}

// place returns the index of the target among n columns.
func (r *rowReader) place(n int) int {
	if r.target < 0 {
		return n + r.target
	}
	return r.target - 1
}

func (r *rowReader) refuse(format string, args ...any) {
	r.bad++
	if r.bad <= maxNotes {
		r.notes = append(r.notes, fmt.Sprintf("line %d is left out: %s", r.line, fmt.Sprintf(format, args...)))
	}
}

// waiting reports whether the next row may be long in coming.
func (r *rowReader) waiting() bool { return r.r.Buffered() == 0 }
