package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rkhs-go/rkhs"
)

// arffReader reads the attribute-relation file format of Weka. Attributes precede rows of cells or of
// pairs {index value}.
type arffReader struct {
	lines      arffLines
	attributes []attribute
	parse      *parser
	skip       func(err error)
	reading    map[string]Notation
	size       int // of all rows, in bytes
}

// isARFF reports whether the first line of a text that is not a comment is a relation.
func isARFF(head []byte) bool {
	head = bytes.TrimPrefix(head, byteOrderMark)
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte{'\n'})
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '%' {
			continue
		}
		_, ok := cutWord(line, "@relation")
		return ok
	}
	return false
}

// cutWord removes a word and the blank after it from the start of a line. It ignores case.
func cutWord(line []byte, word string) (rest []byte, ok bool) {
	if len(line) < len(word) || !strings.EqualFold(string(line[:len(word)]), word) {
		return nil, false
	}
	rest = line[len(word):]
	return bytes.TrimSpace(rest), len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t'
}

func newARFFReader(b *bufio.Reader, opts TableOptions) (*arffReader, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, err
	}
	a := &arffReader{lines: arffLines{lines{r: b}}, parse: parse, skip: opts.Skip, reading: opts.Notations}
	for {
		line, err := a.lines.next()
		if err == io.EOF {
			return nil, fmt.Errorf("no line @data: %w", rkhs.ErrFormat)
		}
		if err != nil {
			return nil, err
		}
		if _, data := cutWord(line, "@data"); data {
			break
		}
		if _, relation := cutWord(line, "@relation"); relation {
			continue
		}
		if err := a.addAttribute(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", a.lines.number, err)
		}
	}
	if len(a.attributes) == 0 {
		return nil, fmt.Errorf("no line @attribute: %w", rkhs.ErrEmpty)
	}
	return a, nil
}

// arffLines reads the lines that are neither empty nor comments.
type arffLines struct{ lines }

func (l *arffLines) next() ([]byte, error) {
	for {
		line, err := l.lines.next()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); line[0] != '%' {
			return line, nil
		}
	}
}

// addAttribute reads a line @attribute name type.
func (a *arffReader) addAttribute(line []byte) error {
	rest, ok := cutWord(line, "@attribute")
	if !ok {
		return fmt.Errorf("%q, want @attribute name type: %w", clip(line), rkhs.ErrFormat)
	}
	name, quoted, of, err := arffToken(rest, "{")
	if err == nil && name == "" && !quoted {
		err = fmt.Errorf("an attribute without a name: %w", rkhs.ErrFormat)
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(a.attributes, func(o attribute) bool { return o.name == name }) {
		return fmt.Errorf("two attributes are named %q: %w", clip([]byte(name)), rkhs.ErrFormat)
	}
	t := attribute{name: name}
	if err := t.setType(bytes.TrimSpace(of)); err != nil {
		return fmt.Errorf("attribute %q: %w", clip([]byte(name)), err)
	}
	a.attributes = append(a.attributes, t)
	return nil
}

// read returns the next rows, at most n, or io.EOF.
func (a *arffReader) read(n int) (*Table, error) {
	columns := make([]*builder, len(a.attributes))
	for j, t := range a.attributes {
		columns[j] = &builder{name: t.name}
		columns[j].allocate(t.of)
	}
	var starts []int
	for len(starts) < n {
		line, err := a.lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := a.row(columns, line); err != nil {
			for _, b := range columns {
				b.truncate(len(starts))
			}
			if err = fmt.Errorf("line %d: %w", a.lines.number, err); a.skip == nil {
				return nil, err
			}
			a.skip(err)
			continue
		}
		starts = append(starts, a.lines.number)
		if a.size += len(line); len(columns) > (cellsPerByte*a.size+freeCells)/len(starts) {
			return nil, fmt.Errorf("line %d: %d rows of %d attributes are mostly zeros: %w",
				a.lines.number, len(starts), len(columns), rkhs.ErrMemory)
		}
	}
	t, err := endOfRows(columns, a.parse, len(starts), nil)
	if err != nil {
		return nil, err
	}
	t.lines = starts
	for j, attribute := range a.attributes {
		if attribute.levels != nil {
			t.columns[j].kind = Category
		}
	}
	return t.as(a.reading)
}

// row adds the cells of a row.
func (a *arffReader) row(columns []*builder, line []byte) error {
	if line[0] == '{' {
		return a.sparseRow(columns, line)
	}
	for j, rest := 0, line; ; j++ {
		cell, quoted, after, err := arffToken(rest, "")
		if err == nil && j == len(columns) {
			err = fmt.Errorf("more than %d cells: %w", len(columns), rkhs.ErrFormat)
		}
		if err == nil {
			err = a.attributes[j].add(columns[j], cell, quoted, a.parse)
		}
		if err != nil {
			return err
		}
		if len(after) == 0 {
			if j+1 < len(columns) {
				return fmt.Errorf("%d cells, want %d: %w", j+1, len(columns), rkhs.ErrFormat)
			}
			return nil
		}
		rest = bytes.TrimPrefix(after, []byte{','})
	}
}

// sparseRow adds the cells of a row {index value, …}. Cells without an index are 0 or the first
// level.
func (a *arffReader) sparseRow(columns []*builder, line []byte) error {
	row := columns[0].len()
	for rest := trimSpace(line[1:]); ; {
		if len(rest) == 0 {
			return fmt.Errorf("the row has no closing brace: %w", rkhs.ErrFormat)
		}
		if rest[0] == '}' {
			break
		}
		index, _, after, err := arffToken(rest, "}")
		if err != nil {
			return err
		}
		j, err := strconv.Atoi(index)
		if err != nil || j < 0 || j >= len(columns) {
			return fmt.Errorf("index %q, want 0 to %d: %w", clip([]byte(index)), len(columns)-1, rkhs.ErrFormat)
		}
		if columns[j].len() > row {
			return fmt.Errorf("index %d occurs twice: %w", j, rkhs.ErrFormat)
		}
		cell, quoted, after, err := arffToken(after, "}")
		if err == nil {
			err = a.attributes[j].add(columns[j], cell, quoted, a.parse)
		}
		if err != nil {
			return err
		}
		rest = trimSpace(bytes.TrimPrefix(after, []byte{','}))
	}
	for j, b := range columns {
		if b.len() > row {
			continue
		}
		if err := a.attributes[j].addZero(b); err != nil {
			return err
		}
	}
	return nil
}
