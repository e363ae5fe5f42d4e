package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// line is one of the input. Of one that is longer than the buffer of the reader there
// is no text.
type line struct {
	number int
	text   string
	long   bool
}

// read sends the lines of r until they end or ctx is done, then closes the channel and
// sends the error of r, nil at its end. The receiver need not wait for a line that
// does not come.
func read(ctx context.Context, r io.Reader) (<-chan line, <-chan error) {
	lines, end := make(chan line, 1024), make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewReaderSize(r, 1<<20)
		for number := 1; ; number++ {
			text, more, err := in.ReadLine()
			l := line{number, string(text), more}
			for more && err == nil {
				l.text = ""
				_, more, err = in.ReadLine()
			}
			switch {
			case errors.Is(err, io.EOF):
				end <- nil
				return
			case err != nil:
				end <- fmt.Errorf("after line %d: %w", number-1, err)
				return
			}
			select {
			case lines <- l:
			case <-ctx.Done():
				end <- nil
				return
			}
		}
	}()
	return lines, end
}

// rows are those of the next step.
type rows struct {
	columns int // that lines have; 0 until one was good
	x, y    []float64
	last    line
}

// add takes in a line of numbers, the target last.
func (r *rows) add(l line, label bool) error {
	if l.long {
		return errors.New("it is too long")
	}
	fields := strings.Split(l.text, ",")
	row := make([]float64, len(fields))
	for j, field := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("column %d is no finite number", j+1)
		}
		row[j] = v
	}
	at := len(row) - 1
	switch {
	case at == 0:
		return errors.New("a single column, without inputs")
	case r.columns > 0 && len(row) != r.columns:
		return fmt.Errorf("%d columns, those before have %d", len(row), r.columns)
	case label && row[at] != math.Trunc(row[at]):
		return errors.New("the label is no whole number")
	}
	r.columns, r.last = len(row), l
	r.x, r.y = append(r.x, row[:at]...), append(r.y, row[at])
	return nil
}

// take returns the rows, and makes place for others.
func (r *rows) take() (x, y *mat.Dense) {
	n := len(r.y)
	x, y = mat.NewDense(n, len(r.x)/n, slices.Clone(r.x)), mat.NewDense(n, 1, slices.Clone(r.y))
	r.x, r.y = r.x[:0], r.y[:0]
	return x, y
}
