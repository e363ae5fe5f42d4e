package dataset

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// ReadCSV reads a CSV file with one row of numbers per line. All lines have the same length.
//
// The separator is the first of tab, semicolon and comma that occurs in the first line, or blanks.
// The decimal sign is the point. Quotes and blanks around a field, a byte order mark, empty lines
// and lines that begin with # are skipped; lines end with LF or CRLF. The first line names the
// columns if Options.Header is set or if no field is a number.
//
// Errors wrap rkhs.ErrFormat or rkhs.ErrNotFinite with line and column; rkhs.ErrEmpty for a file
// without rows or features; rkhs.ErrOption if Options.Target or Options.Weights is not a column;
// rkhs.ErrDomain for a negative weight. O(bytes).
func ReadCSV(r io.Reader, opts Options) (*Set, error) {
	return readText(r, opts, func(b *bufio.Reader) reader[*Set] { return csvRows(b, opts) })
}

func csvRows(b *bufio.Reader, opts Options) reader[*Set] {
	return (&csvReader{lines: lines{r: b}, opts: opts}).read
}

// csvReader reads the rows of a CSV file. Columns count from 1.
type csvReader struct {
	lines           lines
	opts            Options
	sep             byte
	columns         int // 0 before the first line
	target, weights int // 0 for a file without them
}

func (c *csvReader) read(n int) (*Set, error) {
	if c.columns == 0 {
		if err := c.begin(); err != nil {
			return nil, err
		}
	}
	var x []float64
	var s Set
	count := 0
	for ; count < n; count++ {
		line, err := c.lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if cap(x)-len(x) < c.columns {
			x = slices.Grow(x, len(x)+c.columns) // doubles the capacity
		}
		if x, err = c.appendRow(x, &s, line); err != nil {
			return nil, err
		}
	}
	if count == 0 {
		return nil, io.EOF
	}
	s.X = mat.NewDense(count, len(x)/count, x)
	return &s, nil
}

// begin finds separator and columns from the first line. A row is read again.
func (c *csvReader) begin() error {
	line, err := c.lines.next()
	if err != nil {
		return err
	}
	c.sep = separator(line)
	columns, numbers, texts := 0, false, false
	for rest, more := line, true; more; {
		var field []byte
		columns++
		if field, rest, more, err = cut(rest, c.sep); err != nil {
			return c.at(columns, err)
		}
		numbers = numbers || isNumber(field)
		texts = texts || len(field) > 0 && !isNumber(field)
	}
	if c.target, c.weights, err = c.opts.layout(columns); err != nil {
		return err
	}
	c.columns = columns
	if !c.opts.Header && (numbers || !texts) {
		c.lines.again = line
	}
	return nil
}

// appendRow appends the features of a line to x, and its target and weight to s.
func (c *csvReader) appendRow(x []float64, s *Set, line []byte) ([]float64, error) {
	column := 0
	for more := true; more; {
		var field []byte
		var v float64
		var err error
		if column++; column > c.columns {
			return x, fmt.Errorf("line %d has more than %d columns: %w", c.lines.number, c.columns, rkhs.ErrFormat)
		}
		if field, line, more, err = cut(line, c.sep); err == nil {
			v, err = number(field)
		}
		if err == nil && column == c.weights && v < 0 {
			err = fmt.Errorf("the weight %v is negative: %w", v, rkhs.ErrDomain)
		}
		if err != nil {
			return x, c.at(column, err)
		}
		switch column {
		case c.target:
			s.Y = append(s.Y, v)
		case c.weights:
			s.Weights = append(s.Weights, v)
		default:
			x = append(x, v)
		}
	}
	if column < c.columns {
		return x, fmt.Errorf("line %d has %d columns, want %d: %w", c.lines.number, column, c.columns, rkhs.ErrFormat)
	}
	return x, nil
}

func (c *csvReader) at(column int, err error) error {
	return fmt.Errorf("line %d, column %d: %w", c.lines.number, column, err)
}
