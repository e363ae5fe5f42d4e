package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"regexp"
	"slices"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

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
	findKinds(t.columns)
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
	records  records
	parse    *parser
	opts     TableOptions
	names    []string
	used     columnNames
	origins  []origin // of the columns
	encoding string   // unless UTF-8
	first    [][]byte // the first line, if it is a row
	line     int      // of first
}

func newTableReader(r io.Reader, opts TableOptions) (*tableReader, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, err
	}
	b, err := inflate(r)
	if err != nil {
		return nil, err
	}
	b, encoding := decodeUTF16(b)
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
	parse.comma = sep == ';'
	t := &tableReader{parse: parse, opts: opts, encoding: encoding, used: columnNames{}}
	if l := (lines{r: b, number: skipped}); sep == ' ' {
		t.records = &blankRecords{l}
	} else {
		t.records = newCSVRecords(l, sep)
	}
	return t, t.begin()
}

// decodeUTF16 decodes a text that begins with the byte order mark of UTF-16. The encoding of other
// texts is "".
func decodeUTF16(b *bufio.Reader) (text *bufio.Reader, encoding string) {
	mark, _ := b.Peek(2) // the first read returns the error again
	if string(mark) != "\xff\xfe" && string(mark) != "\xfe\xff" {
		return b, ""
	}
	decoder := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	return bufio.NewReaderSize(transform.NewReader(b, decoder), bufferSize), "UTF-16"
}

// skipComments skips the lines before the first row. It returns the first line with a cell and the
// number of lines before it.
func skipComments(b *bufio.Reader) (head []byte, skipped int, err error) {
	if mark, _ := b.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		b.Discard(len(byteOrderMark)) // cannot fail after Peek
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

// likelySeparator returns the most frequent separator outside quotes, or a blank. Commas between
// digits, as in 1,5, do not count if there is another separator.
func likelySeparator(line []byte) byte {
	best, most := byte(' '), 0
	for _, sep := range []byte("\t;|") {
		if count := countUnquoted(line, sep); count > most {
			best, most = sep, count
		}
	}
	commas := countUnquoted(line, ',')
	if most > 0 {
		commas = countUnquoted(decimalCommas.ReplaceAll(line, nil), ',')
	}
	if commas > most {
		return ','
	}
	return best
}

var decimalCommas = regexp.MustCompile(`\d,\d`)

// begin finds the names of the columns from the first line.
func (t *tableReader) begin() error {
	cells, line, err := t.records.next()
	if err != nil {
		return noRows(err)
	}
	header := t.opts.Header || !t.opts.NoHeader && !slices.ContainsFunc(cells, func(cell []byte) bool {
		digits, unit, ok := amount(cell)
		_, _, point := plain(digits, false)
		_, _, comma := plain(digits, true)
		return ok && unit == "" && (point || comma)
	})
	for j, cell := range cells {
		t.addName(j, cell, header)
	}
	if !header {
		t.line = line
		for _, cell := range cells {
			t.first = append(t.first, bytes.Clone(cell))
		}
	}
	return nil
}

// addName names a column. A missing name is replaced by column_3, for example, and a repeated name
// gets a number.
func (t *tableReader) addName(j int, cell []byte, header bool) {
	b := textBuilder{}
	text := b.decode(cell)
	name, o := text, origin{encoding: t.encoding}
	if !header {
		name = ""
	}
	name = t.used.distinct(j, name)
	if header && name != text {
		o.header = &text
	}
	if b.decoded {
		o.encoding = "windows-1252"
	}
	t.names, t.origins = append(t.names, name), append(t.origins, o)
}

// read returns the next rows, at most n, or io.EOF.
func (t *tableReader) read(n int) (*Table, error) {
	b := newTableBuilder(t.names, t.parse, t.opts, n == math.MaxInt)
	for b.rows < n {
		cells, line, err := t.next()
		if err == io.EOF {
			break
		}
		if err == nil && len(cells) != len(t.names) {
			err = rowError{fmt.Errorf("line %d: %d cells, want %d as in the first line: %w", line, len(cells), len(t.names), rkhs.ErrFormat)}
		}
		if err != nil && t.opts.Skip != nil && errors.As(err, new(rowError)) {
			t.opts.Skip(err)
			continue
		}
		if err != nil {
			return nil, err
		}
		b.append(cells, line)
	}
	if b.rows == 0 {
		return nil, io.EOF
	}
	table := b.table()
	for j, c := range table.columns {
		if c.origin.header = t.origins[j].header; c.origin.encoding == "" {
			c.origin.encoding = t.origins[j].encoding
		}
	}
	return table, nil
}

func (t *tableReader) next() ([][]byte, int, error) {
	if first := t.first; first != nil {
		t.first = nil
		return first, t.line, nil
	}
	return t.records.next()
}
