package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
)

// records reads the cells of rows without surrounding blanks, and the number of the first line of
// each row. Errors of a single row are a rowError. The cells are valid until the next call.
type records interface {
	next() (cells [][]byte, line int, err error)
}

// rowError is the error of one row. The rows after it are readable.
type rowError struct{ error }

func (e rowError) Unwrap() error { return e.error }

// csvRecords reads rows of RFC 4180.
type csvRecords struct {
	lines  lines
	sep    byte
	cells  [][]byte
	quoted *csv.Reader // reads rows with quotes, by Read
	unread []byte      // the rest of a line for quoted
}

func newCSVRecords(l lines, sep byte) *csvRecords {
	c := &csvRecords{lines: l, sep: sep}
	c.quoted = csv.NewReader(c)
	c.quoted.Comma, c.quoted.FieldsPerRecord, c.quoted.TrimLeadingSpace = rune(sep), -1, sep != '\t'
	return c
}

func (c *csvRecords) next() ([][]byte, int, error) {
	for {
		line, err := c.line()
		if err != nil {
			return nil, 0, err
		}
		if bytes.IndexByte(line, '"') >= 0 {
			c.unread = line
			return c.nextQuoted(c.lines.number)
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if len(line) > 0 {
			c.split(line)
			return c.cells, c.lines.number, nil
		}
	}
}

// line returns the next line with its end.
func (c *csvRecords) line() ([]byte, error) {
	line, err := c.lines.read()
	if err == io.EOF {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", c.lines.number+1, damage(err))
	}
	c.lines.number++
	return line, nil
}

// split separates the cells of a line without quotes.
func (c *csvRecords) split(line []byte) {
	c.cells = c.cells[:0]
	for {
		end := bytes.IndexByte(line, c.sep)
		if end < 0 {
			c.cells = append(c.cells, bytes.TrimSpace(line))
			return
		}
		c.cells = append(c.cells, bytes.TrimSpace(line[:end]))
		line = line[end+1:]
	}
}

// nextQuoted returns the row with quotes that starts in a line.
func (c *csvRecords) nextQuoted(start int) ([][]byte, int, error) {
	record, err := c.quoted.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		at := fmt.Sprintf("line %d", start)
		if more := parse.Line - parse.StartLine; more > 0 {
			at += fmt.Sprintf(" to line %d", start+more)
		}
		return nil, 0, rowError{fmt.Errorf("%s, byte %d: %w: %w", at, parse.Column, parse.Err, rkhs.ErrFormat)}
	}
	if err != nil {
		return nil, 0, err
	}
	c.cells = c.cells[:0]
	for _, cell := range record {
		c.cells = append(c.cells, bytes.TrimSpace([]byte(cell)))
	}
	return c.cells, start, nil
}

// Read implements io.Reader for the reader of quoted rows. It returns one line at a time, so the
// reader does not read lines after the row.
func (c *csvRecords) Read(p []byte) (int, error) {
	if len(c.unread) == 0 {
		line, err := c.line()
		if err != nil {
			return 0, err
		}
		c.unread = line
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

// blankRecords reads rows of cells separated by blanks.
type blankRecords struct{ lines lines }

func (b *blankRecords) next() (cells [][]byte, line int, err error) {
	text, err := b.lines.next()
	if err != nil {
		return nil, 0, err
	}
	for more := true; more; {
		var cell []byte
		if cell, text, more, err = cut(text, ' '); err != nil {
			return nil, 0, rowError{fmt.Errorf("line %d, cell %d: %w", b.lines.number, len(cells)+1, err)}
		}
		cells = append(cells, cell)
	}
	return cells, b.lines.number, nil
}
