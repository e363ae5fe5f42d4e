package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rkhs-go/rkhs"
)

// jsonReader reads objects: one in each line, or the elements of an array. Their keys name the
// columns, in the order of their first occurrence.
type jsonReader struct {
	next    func() (object []byte, line int, err error)
	objects objects
	parse   *parser
	skip    func(err error)
	reading map[string]Notation
	size    int // of all objects, in bytes
}

// isJSON reports whether a text, which may be truncated, starts with an object or an array of
// objects.
func isJSON(head []byte) bool {
	head = trimSpace(bytes.TrimPrefix(head, byteOrderMark))
	if len(head) > 0 && head[0] == '[' {
		if head = trimSpace(head[1:]); len(head) == 0 {
			return true
		}
	}
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	head = trimSpace(head[1:])
	return len(head) == 0 || head[0] == '"' || head[0] == '}'
}

func trimSpace(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }

func newJSONReader(b *bufio.Reader, head []byte, opts TableOptions) (*jsonReader, error) {
	parse, err := opts.parser()
	if err != nil {
		return nil, err
	}
	j := &jsonReader{parse: parse, skip: opts.Skip, reading: opts.Notations}
	head = trimSpace(bytes.TrimPrefix(head, byteOrderMark))
	if len(head) > 0 && head[0] == '[' {
		j.next = arrayElements(b)
	} else {
		text := lines{r: b}
		j.next = func() ([]byte, int, error) {
			line, err := text.next()
			return line, text.number, err
		}
	}
	return j, nil
}

// arrayElements returns a function that returns the elements of an array, counted as lines, and then
// io.EOF.
func arrayElements(b *bufio.Reader) func() ([]byte, int, error) {
	if mark, _ := b.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		b.Discard(len(byteOrderMark)) // cannot fail after Peek
	}
	d := json.NewDecoder(b)
	count := 0
	var end error // of the array
	return func() (element []byte, line int, err error) {
		if end != nil {
			return nil, count, end
		}
		if count++; count == 1 {
			_, err = d.Token() // the opening bracket
		}
		if err == nil && !d.More() {
			end = endOfArray(d)
			return nil, count, end
		}
		var raw json.RawMessage
		if err == nil {
			err = d.Decode(&raw)
		}
		return raw, count, jsonDamage(count, err)
	}
}

// endOfArray returns io.EOF if the array and the text end.
func endOfArray(d *json.Decoder) error {
	if _, err := d.Token(); err != nil { // the closing bracket
		return jsonDamage(0, err)
	}
	if _, err := d.Token(); err == io.EOF {
		return err
	}
	return fmt.Errorf("text after the end of the array: %w", rkhs.ErrFormat)
}

// jsonDamage adds rkhs.ErrFormat to a syntax error of an array.
func jsonDamage(element int, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("element %d: %w: %w", element, err, rkhs.ErrFormat)
	}
	return damage(err)
}

// read returns the next rows, at most n, or io.EOF.
func (j *jsonReader) read(n int) (*Table, error) {
	j.objects.begin()
	var starts []int
	for j.objects.rows < n {
		object, line, err := j.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		j.size += len(object)
		if err := j.row(object); err != nil {
			j.objects.undo()
			err = fmt.Errorf("line %d: %w", line, err)
			if j.skip == nil {
				return nil, err
			}
			j.skip(err)
			continue
		}
		if err := j.objects.endRow(j.size); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		starts = append(starts, line)
	}
	t, err := j.objects.table(j.parse, nil)
	if err != nil {
		return nil, err
	}
	t.lines = starts
	return t.as(j.reading)
}

// row adds the cells of an object.
func (j *jsonReader) row(object []byte) error {
	if !json.Valid(object) {
		return fmt.Errorf("%q is not a JSON object in one line: %w", clip(object), rkhs.ErrFormat)
	}
	rest := trimSpace(object)
	if rest[0] != '{' {
		return fmt.Errorf("%q is not an object: %w", clip(object), rkhs.ErrFormat)
	}
	for rest = trimSpace(rest[1:]); rest[0] != '}'; rest = trimSpace(rest) {
		key, after := cutValue(rest)
		value, more := cutValue(trimSpace(trimSpace(after)[1:])) // a colon separates them
		if err := j.cell(unquote(key), value); err != nil {
			return err
		}
		if rest = trimSpace(more); rest[0] == ',' {
			rest = rest[1:]
		}
	}
	return nil
}

// cell adds the value of a key.
func (j *jsonReader) cell(key string, value []byte) error {
	if value[0] == '{' || value[0] == '[' {
		j.objects.ignore(key)
		return nil
	}
	b, err := j.objects.column(key)
	if err != nil {
		return err
	}
	switch value[0] {
	case '"':
		b.addText(strings.TrimSpace(unquote(value)))
	case 't', 'f':
		b.addBool(value[0] == 't')
	case 'n':
		b.addMissing()
	default:
		if slices.Contains(j.parse.Missing, string(value)) {
			b.addMissing()
			return nil
		}
		return b.addDecimal(string(value))
	}
	return nil
}

// cutValue returns the value at the start of a valid text, and the text after it.
func cutValue(text []byte) (value, rest []byte) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && bytes.IndexByte([]byte(",:}] \t\r\n"), c) >= 0:
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// unquote returns the text of a valid JSON string.
func unquote(value []byte) string {
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return string(inner) // unreachable for a valid text
	}
	return text
}
