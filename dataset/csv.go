package dataset

import (
	"fmt"
	"io"
	"slices"

	"github.com/rkhs-go/rkhs"
)

// ReadCSV reads a CSV file: one row of numbers a line, all lines of one length.
//
// Fields are separated by tabs, semicolons or commas, whichever of them, in this
// order, occurs in the first line, or else by blanks. Blanks around a field, a
// pair of quotes around it, a byte order mark, empty lines, lines that begin
// with # and either end of line are skipped. The first line names the columns if
// none of its fields is a number, or if Options.Header says so: a first row that
// merely lacks a value is an error, not a header. The decimal sign is the point.
//
// Errors wrap rkhs.ErrFormat or rkhs.ErrNotFinite and name line and column;
// rkhs.ErrEmpty if there are no rows or no features; rkhs.ErrOption if
// Options.Target or Options.Weights is not a column; rkhs.ErrDomain for a negative weight.
// O(bytes).
func ReadCSV(r io.Reader, opts Options) (*Set, error) {
	return readText(r, CSVFormat, opts)
}

type csvReader struct {
	lines   lines
	opts    Options
	sep     byte
	columns int // 0 before the first line
	target  int // counted from 1; 0 for none
	weights int // likewise
	first   []byte
}

// read returns the next rows of the file, at most n, or io.EOF.
func (c *csvReader) read(n int) (*Set, error) {
	if c.columns == 0 {
		if err := c.begin(); err != nil {
			return nil, err
		}
	}
	var rows csvRows
	count := 0
	for ; count < n; count++ {
		line, err := c.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = c.appendRow(&rows, line)
		}
		if err != nil {
			return nil, err
		}
	}
	if count == 0 {
		return nil, io.EOF
	}
	s := newSet(count, rows.x, rows.y)
	s.Weights = rows.weights
	return s, nil
}

// csvRows are the numbers of some rows.
type csvRows struct{ x, y, weights []float64 }

// begin learns from the first line how the file is laid out, and keeps the line
// if it is a row.
func (c *csvReader) begin() error {
	line, err := c.lines.next()
	if err != nil {
		return err
	}
	c.sep = separator(line)
	columns, numbers, texts, err := c.survey(line)
	if err != nil {
		return err
	}
	if c.target, c.weights, err = c.opts.layout(columns); err != nil {
		return err
	}
	c.columns = columns
	if !c.opts.Header && (numbers > 0 || texts == 0) {
		c.first = line
	}
	return nil
}

// survey counts the fields of a line, and the numbers and other texts among
// them.
func (c *csvReader) survey(line []byte) (fields, numbers, texts int, err error) {
	for more := true; more; {
		var field []byte
		fields++
		if field, line, more, err = cut(line, c.sep); err != nil {
			return 0, 0, 0, c.at(fields, err)
		}
		if isNumber(field) {
			numbers++
		} else if len(field) > 0 {
			texts++
		}
	}
	return fields, numbers, texts, nil
}

func (c *csvReader) next() ([]byte, error) {
	if line := c.first; line != nil {
		c.first = nil
		return line, nil
	}
	return c.lines.next()
}

// appendRow appends what is in a line.
func (c *csvReader) appendRow(rows *csvRows, line []byte) error {
	if cap(rows.x)-len(rows.x) < c.columns {
		rows.x = slices.Grow(rows.x, len(rows.x)+c.columns)
	}
	column := 0
	for more := true; more; {
		var field []byte
		var v float64
		var err error
		if column++; column > c.columns {
			break
		}
		if field, line, more, err = cut(line, c.sep); err == nil {
			v, err = number(field)
		}
		if err == nil && column == c.weights && v < 0 {
			err = fmt.Errorf("the weight %v is negative: %w", v, rkhs.ErrDomain)
		}
		if err != nil {
			return c.at(column, err)
		}
		switch column {
		case c.target:
			rows.y = append(rows.y, v)
		case c.weights:
			rows.weights = append(rows.weights, v)
		default:
			rows.x = append(rows.x, v)
		}
	}
	if column != c.columns {
		return c.ragged(column)
	}
	return nil
}

// ragged is the error for a line with a number of columns that is not the first
// line's; counting stopped one column beyond.
func (c *csvReader) ragged(columns int) error {
	if columns > c.columns {
		return fmt.Errorf("line %d has more than %d columns: %w", c.lines.number, c.columns, rkhs.ErrFormat)
	}
	return fmt.Errorf("line %d has %d columns, want %d: %w", c.lines.number, columns, c.columns, rkhs.ErrFormat)
}

func (c *csvReader) at(column int, err error) error {
	return fmt.Errorf("line %d, column %d: %w", c.lines.number, column, err)
}
