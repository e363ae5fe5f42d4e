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

// ReadTable reads a table of text, such as CSV (RFC 4180), which gzip may compress. Quoted cells
// may contain separators, doubled quotes and line breaks. A byte order mark, empty lines, and
// leading lines that begin with # are skipped. All rows have as many cells as the first line.
//
// A text that begins with @relation is ARFF, with nominal attributes as categories and sparse rows.
// A text that begins with an object is JSON lines: one object per line, or an array of objects. A
// missing key is a missing cell. Nested values are ignored; Table.Notes counts them.
//
// Errors wrap rkhs.ErrFormat with the line; rkhs.ErrEmpty for a file without rows; rkhs.ErrOption
// for invalid options and for TableOptions.Kinds of a missing column. O(bytes).
func ReadTable(r io.Reader, opts TableOptions) (*Table, error) { return readTable("", r, opts) }

// LoadTable is ReadTable of the file at path.
func LoadTable(path string, opts TableOptions) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	return readTable(path, f, opts)
}

func readTable(path string, r io.Reader, opts TableOptions) (*Table, error) {
	t, err := first(tableBatches(path, r, math.MaxInt, opts))
	if err != nil {
		return nil, err
	}
	if len(t.columns) == 0 {
		return nil, fmt.Errorf("dataset: %d rows without a value: %w", t.rows, rkhs.ErrEmpty)
	}
	if t, err = t.WithKinds(opts.Kinds); err != nil {
		return nil, err
	}
	for j, c := range t.columns {
		t.columns[j] = c.found()
	}
	return t, nil
}

// TableBatches reads a table in batches of the given number of rows. The last batch may be smaller.
// All kinds are UnknownKind. An error ends the iteration.
func TableBatches(r io.Reader, rows int, opts TableOptions) iter.Seq2[*Table, error] {
	return tableBatches("", r, rows, opts)
}

func tableBatches(path string, r io.Reader, rows int, opts TableOptions) iter.Seq2[*Table, error] {
	return batches(path, rows, func(*files) (reader[*Table], error) {
		return rowsOf(r, opts)
	})
}

// tableReader reads the rows of a table.
type tableReader struct {
	records records
	parse   *parser
	skip    func(err error)
	names   []string
	first   []string // the first line, if it is a row
	line    int      // of first
}

// records reads the cells of rows, without surrounding blanks, and the line where a row begins.
// Errors of a single row are a rowError. The cells are valid until the next call.
type records interface {
	next() (cells []string, line int, err error)
}

// rowError is the error of one row. The rows after it are readable.
type rowError struct{ error }

func (e rowError) Unwrap() error { return e.error }

func newTableReader(r io.Reader, opts TableOptions) (*tableReader, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, err
	}
	b, err := inflate(r)
	if err != nil {
		return nil, err
	}
	head, skipped, err := skipComments(b)
	if err != nil {
		return nil, err
	}
	sep := opts.Separator
	if sep == 0 {
		if sep = likelySeparator(head); sep == ' ' && isSVM(head) {
			return nil, fmt.Errorf("line %d is svmlight: read it by ReadSVM or ReadSparse, or set the separator to a blank: %w", skipped+1, rkhs.ErrFormat)
		}
	}
	t := &tableReader{parse: parse, skip: opts.Skip}
	if sep == ' ' {
		t.records = &blankRecords{lines{r: b, number: skipped}}
	} else {
		r := csv.NewReader(b)
		r.Comma, r.ReuseRecord, r.FieldsPerRecord, r.TrimLeadingSpace = rune(sep), true, -1, sep != '\t'
		t.records = &csvRecords{r, skipped}
	}
	return t, t.begin(opts)
}

// skipComments skips the lines before the first row. It returns the first line with a cell and the
// number of lines before it.
func skipComments(b *bufio.Reader) (head []byte, skipped int, err error) {
	if mark, _ := b.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		b.Discard(len(byteOrderMark)) // cannot fail after Peek
	} else if len(mark) > 1 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return nil, 0, fmt.Errorf("the text is UTF-16: write it as UTF-8: %w", rkhs.ErrFormat)
	}
	for ; ; skipped++ {
		head, err = firstLine(b)
		if len(head) == 0 {
			if err == nil || err == io.EOF {
				return nil, skipped, noRows(io.EOF)
			}
			return nil, skipped, damage(err)
		}
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		text := bytes.TrimSpace(line)
		switch {
		case bytes.IndexByte(line, 0) >= 0:
			return nil, skipped, fmt.Errorf("line %d has a zero byte, so it is not text: %w", skipped+1, rkhs.ErrFormat)
		case len(line) == len(head) && bytes.IndexByte(text, '\r') >= 0:
			return nil, skipped, fmt.Errorf("lines end with carriage returns alone, want line feeds, or both: %w", rkhs.ErrFormat)
		case len(text) > 0 && text[0] != '#':
			return line, skipped, nil
		}
		for more := true; more; {
			_, err = b.ReadSlice('\n')
			more = err == bufio.ErrBufferFull
		}
		if err != nil && err != io.EOF {
			return nil, skipped, damage(err)
		}
	}
}

// firstLine returns unread bytes with the next line, or a full buffer. It reads no more than
// necessary, because a stream may deliver its lines one by one.
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

// likelySeparator returns the most frequent separator outside quotes, or a blank.
func likelySeparator(line []byte) byte {
	best, most := byte(' '), 0
	for _, sep := range []byte("\t;,|") {
		if count := countUnquoted(line, sep); count > most {
			best, most = sep, count
		}
	}
	return best
}

// begin finds the names of the columns from the first line.
func (t *tableReader) begin(opts TableOptions) error {
	cells, line, err := t.records.next()
	if err != nil {
		return noRows(err)
	}
	header := opts.Header || !opts.NoHeader && !slices.ContainsFunc(cells, func(cell string) bool {
		_, err := t.parse.number([]byte(cell))
		return err == nil
	})
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
	b := newTableBuilder(t.names, t.parse)
	var starts []int
	for len(starts) < n {
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
			b.columns[j].append([]byte(cell))
		}
		starts = append(starts, line)
	}
	if len(starts) == 0 {
		return nil, io.EOF
	}
	return b.table(len(starts), starts), nil
}

func (t *tableReader) next() ([]string, int, error) {
	if first := t.first; first != nil {
		t.first = nil
		return first, t.line, nil
	}
	return t.records.next()
}

// csvRecords reads rows of RFC 4180.
type csvRecords struct {
	r       *csv.Reader
	skipped int // lines before the reader
}

func (c *csvRecords) next() ([]string, int, error) {
	record, err := c.r.Read()
	if err == io.EOF {
		return nil, 0, err
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		at := fmt.Sprintf("line %d", parse.StartLine+c.skipped)
		if parse.Line != parse.StartLine {
			at += fmt.Sprintf(" to line %d", parse.Line+c.skipped)
		}
		return nil, 0, rowError{fmt.Errorf("%s, byte %d: %w: %w", at, parse.Column, parse.Err, rkhs.ErrFormat)}
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

// blankRecords reads rows of cells separated by blanks.
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
