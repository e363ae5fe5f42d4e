package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
)

// ReadTable reads a table of text: comma-separated values and the like, perhaps compressed by
// gzip. Lines may end in either way, cells stand in quotes, in which quotes are doubled and
// lines may break (RFC 4180); a byte order mark, empty lines, and lines before the first row
// that begin with # are skipped. All rows have as many cells as the first line.
//
// Errors wrap rkhs.ErrFormat and name the line; rkhs.ErrEmpty if there are no rows,
// rkhs.ErrOption for options at fault, or a kind of a column that is not there. It holds the bytes of
// the file and one number a cell. O(bytes).
func ReadTable(r io.Reader, opts TableOptions) (*Table, error) {
	t, err := readTable(r, opts)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return t, nil
}

func readTable(r io.Reader, opts TableOptions) (*Table, error) {
	b, err := newTableReader(r, opts)
	if err != nil {
		return nil, err
	}
	t, err := b.read(math.MaxInt)
	if err != nil {
		return nil, noRows(err)
	}
	for _, c := range t.columns {
		if _, given := opts.Kinds[c.name]; !given {
			c.find()
		}
	}
	return t.withKinds(opts.Kinds)
}

// LoadTable is ReadTable of the file at path; errors name the path.
func LoadTable(path string, opts TableOptions) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	t, err := readTable(f, opts)
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", path, err)
	}
	return t, nil
}

// TableBatches reads a table in batches of the given number of rows, the last one perhaps
// smaller, so that a table of any length takes the memory of a batch. The kinds of columns
// are not found. An error ends the iteration.
func TableBatches(r io.Reader, rows int, opts TableOptions) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		if err := eachTable(r, rows, opts, yield); err != nil {
			yield(nil, fmt.Errorf("dataset: %w", err))
		}
	}
}

func eachTable(r io.Reader, rows int, opts TableOptions, yield func(*Table, error) bool) error {
	if rows <= 0 {
		return fmt.Errorf("batches of %d rows: %w", rows, rkhs.ErrOption)
	}
	b, err := newTableReader(r, opts)
	if err != nil {
		return err
	}
	return eachRead(rows, b.read, yield)
}

// tableReader reads a table forward.
type tableReader struct {
	records records
	shared  *reading
	skip    func(err error)
	names   []string
	first   []string // the first row, where no line names the columns
	line    int      // of first
}

// rowError is a fault of one row, behind which the next begins.
type rowError struct{ error }

func (e rowError) Unwrap() error { return e.error }

// records gives the cells of one row after the other, good until the next call, and the line in
// which the row begins.
type records interface {
	next() (cells []string, line int, err error)
}

func newTableReader(r io.Reader, opts TableOptions) (*tableReader, error) {
	shared, err := opts.reading()
	if err != nil {
		return nil, err
	}
	b, err := inflate(r)
	if err != nil {
		return nil, err
	}
	t := &tableReader{shared: shared, skip: opts.Skip}
	head, skipped, err := skipComments(b)
	if err != nil {
		return nil, err
	}
	sep := opts.Separator
	if sep == 0 {
		if sep = likelySeparator(head); sep == ' ' && isSVM(head) {
			return nil, fmt.Errorf("line %d is svmlight, which is no table unless a blank is named as the separator; ReadSVM and ReadSparse read it: %w", skipped+1, rkhs.ErrFormat)
		}
	}
	if sep == ' ' {
		t.records = &blankRecords{lines: lines{r: b, number: skipped}}
	} else {
		t.records = newCSVRecords(b, sep, skipped)
	}
	return t, t.begin(opts)
}

// skipComments skips what comes before the first line with a cell, and returns the beginning of that
// line and the number of lines before it.
func skipComments(b *bufio.Reader) (head []byte, skipped int, err error) {
	if mark, _ := b.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		b.Discard(len(byteOrderMark)) // they are in the buffer
	} else if len(mark) > 1 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return nil, 0, fmt.Errorf("the text is UTF-16: write it as UTF-8: %w", rkhs.ErrFormat)
	}
	for {
		head, err = firstLine(b)
		if len(head) == 0 {
			if err == nil || err == io.EOF {
				err = io.EOF
				return nil, skipped, noRows(err)
			}
			return nil, skipped, damage(err)
		}
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		text := bytes.TrimSpace(line)
		switch {
		case bytes.IndexByte(line, 0) >= 0:
			return nil, skipped, fmt.Errorf("line %d has a zero byte, as no text has: %w", skipped+1, rkhs.ErrFormat)
		case len(line) == len(head) && bytes.IndexByte(text, '\r') >= 0:
			return nil, skipped, fmt.Errorf("lines end with carriage returns alone, want line feeds, or both: %w", rkhs.ErrFormat)
		}
		if len(text) > 0 && text[0] != '#' {
			return line, skipped, nil
		}
		for more := true; more; {
			_, err = b.ReadSlice('\n')
			more = err == bufio.ErrBufferFull
		}
		if err != nil && err != io.EOF {
			return nil, skipped, damage(err)
		}
		skipped++
	}
}

// firstLine returns what is left to read up to the end of a line at least, or as much as the
// buffer takes. It waits for no more than that, as a stream may bring its lines one by one.
func firstLine(b *bufio.Reader) (head []byte, err error) {
	for n := 1; n <= b.Size(); n++ {
		if head, err = b.Peek(n); err != nil {
			break
		}
		head, err = b.Peek(b.Buffered())
		if bytes.IndexByte(head, '\n') >= 0 {
			break
		}
		n = len(head)
	}
	return head, err
}

// likelySeparator returns the separator that a line has most of, outside quotes.
func likelySeparator(line []byte) byte {
	best, most := byte(' '), 0
	for _, sep := range []byte("\t;,|") {
		quoted, count := false, 0
		for _, c := range line {
			if c == '"' {
				quoted = !quoted
			}
			if c == sep && !quoted {
				count++
			}
		}
		if count > most {
			best, most = sep, count
		}
	}
	return best
}

// begin learns the names of the columns from the first line.
func (t *tableReader) begin(opts TableOptions) error {
	cells, line, err := t.records.next()
	if err != nil {
		return noRows(err)
	}
	header := opts.Header
	if !header && !opts.NoHeader {
		header = true
		for _, cell := range cells {
			if _, err := t.shared.number([]byte(cell)); err == nil {
				header = false
			}
		}
	}
	seen := make(map[string]int, len(cells))
	for j, cell := range cells {
		name := fmt.Sprintf("column %d", j+1)
		if header && len(cell) > 0 {
			name = strings.Clone(cell)
		}
		if other, known := seen[name]; known {
			return fmt.Errorf("line %d: columns %d and %d are both named %q: %w", line, other, j+1, clip([]byte(name)), rkhs.ErrFormat)
		}
		seen[name] = j + 1
		t.names = append(t.names, name)
	}
	if !header {
		t.first, t.line = slices.Clone(cells), line
	}
	return nil
}

// read returns the next rows, at most n, or io.EOF.
func (t *tableReader) read(n int) (*Table, error) {
	table := new(Table)
	for _, name := range t.names {
		table.columns = append(table.columns, &Column{name: name, read: t.shared})
	}
	for len(table.lines) < n {
		cells, line, err := t.next()
		if err == io.EOF {
			break
		}
		if err == nil && len(cells) != len(t.names) {
			err = rowError{fmt.Errorf("line %d: %d cells, want %d as in the first line: %w", line, len(cells), len(t.names), rkhs.ErrFormat)}
		}
		if err != nil && t.skip != nil && errors.As(err, new(rowError)) {
			t.skip(err)
			continue
		}
		if err != nil {
			return nil, err
		}
		for j, cell := range cells {
			table.columns[j].append(cell)
		}
		table.lines = append(table.lines, line)
	}
	if len(table.lines) == 0 {
		return nil, io.EOF
	}
	return table, nil
}

func (t *tableReader) next() ([]string, int, error) {
	if first := t.first; first != nil {
		t.first = nil
		return first, t.line, nil
	}
	return t.records.next()
}

// csvRecords are rows as RFC 4180 has them.
type csvRecords struct {
	r       *csv.Reader
	skipped int
}

func newCSVRecords(b *bufio.Reader, sep byte, skipped int) *csvRecords {
	r := csv.NewReader(b)
	r.Comma, r.ReuseRecord, r.FieldsPerRecord = rune(sep), true, -1
	r.TrimLeadingSpace = sep != '\t'
	return &csvRecords{r, skipped}
}

func (c *csvRecords) next() ([]string, int, error) {
	record, err := c.r.Read()
	if err == io.EOF {
		return nil, 0, err
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		where := fmt.Sprintf("line %d", parse.StartLine+c.skipped)
		if parse.Line != parse.StartLine {
			where += fmt.Sprintf(" to line %d", parse.Line+c.skipped)
		}
		return nil, 0, rowError{fmt.Errorf("%s, byte %d: %w: %w", where, parse.Column, parse.Err, rkhs.ErrFormat)}
	}
	if err != nil {
		return nil, 0, damage(err)
	}
	for j, cell := range record {
		record[j] = strings.TrimSpace(cell)
	}
	line, _ := c.r.FieldPos(0)
	return record, line + c.skipped, nil
}

// blankRecords are rows of cells that blanks part.
type blankRecords struct{ lines lines }

func (b *blankRecords) next() (cells []string, line int, err error) {
	text, err := b.lines.next()
	if err != nil {
		return nil, 0, err
	}
	for more := true; more; {
		var cell []byte
		if cell, text, more, err = cut(text, ' '); err != nil {
			return nil, 0, rowError{fmt.Errorf("line %d, cell %d: %w", b.lines.number, len(cells)+1, err)}
		}
		cells = append(cells, string(cell))
	}
	return cells, b.lines.number, nil
}
