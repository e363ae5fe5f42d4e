package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/rkhs-go/rkhs"
)

// maxLine limits the bytes of a line, so that a binary file read as text cannot fill the memory.
const maxLine = 64 << 20

var byteOrderMark = []byte("\ufeff")

// lines reads the lines of a text that are neither empty nor comments, which begin with #.
type lines struct {
	r      *bufio.Reader
	number int    // of the last line, from 1
	long   []byte // the last line, if it was longer than the buffer of r
	again  []byte // if not nil, the next line
}

// next returns the next line without its end, or io.EOF. The line is valid until the next call.
func (l *lines) next() ([]byte, error) {
	if line := l.again; line != nil {
		l.again = nil
		return line, nil
	}
	for {
		line, err := l.read()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.number+1, damage(err))
		}
		l.number++
		if l.number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		line = bytes.TrimRight(line, "\r\n")
		if text := trimLeft(line, ' '); len(text) > 0 && text[0] != '#' {
			return line, nil
		}
	}
}

// read returns the next line with its end.
func (l *lines) read() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if len(l.long) > maxLine {
				return nil, fmt.Errorf("longer than %d bytes: %w", maxLine, rkhs.ErrFormat)
			}
			l.long = append(l.long, line...)
			line, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	return line, err
}

// separator returns the first of tab, semicolon and comma that occurs outside quotes in a line, or
// a blank, which separates fields by any number of blanks.
func separator(line []byte) byte {
	for _, sep := range []byte("\t;,") {
		if countUnquoted(line, sep) > 0 {
			return sep
		}
	}
	return ' '
}

// countUnquoted counts a separator outside quotes.
func countUnquoted(line []byte, sep byte) (count int) {
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		}
		if c == sep && !quoted {
			count++
		}
	}
	return count
}

// cut returns the first field of a line without quotes and surrounding blanks, the rest of the
// line, and whether a separator came between them.
func cut(line []byte, sep byte) (field, rest []byte, more bool, err error) {
	line = trimLeft(line, sep)
	quoted, err := quotedLen(line)
	if err != nil {
		return nil, nil, false, err
	}
	end := quoted + until(line[quoted:], sep)
	field = bytes.TrimRight(line[:end], " \t")
	if more = end < len(line); more {
		rest = line[end+1:]
	}
	if sep == ' ' {
		rest = trimLeft(rest, sep)
		more = len(rest) > 0
	}
	if quoted == 0 {
		return field, rest, more, nil
	}
	if len(field) > quoted {
		return nil, nil, false, fmt.Errorf("%q after the closing quote: %w", clip(field[quoted:]), rkhs.ErrFormat)
	}
	return bytes.Trim(field[1:quoted-1], " \t"), rest, more, nil
}

// quotedLen returns the length of the quoted field at the start of a line, or 0. Doubled quotes
// inside stay doubled, because no number has any.
func quotedLen(line []byte) (int, error) {
	if len(line) == 0 || line[0] != '"' {
		return 0, nil
	}
	for end := 1; ; end++ {
		i := bytes.IndexByte(line[end:], '"')
		if i < 0 {
			return 0, fmt.Errorf("quote without end: %w", rkhs.ErrFormat)
		}
		end += i + 1
		if end == len(line) || line[end] != '"' {
			return end, nil
		}
	}
}

// until returns the index of the first separator in line, or its length.
func until(line []byte, sep byte) int {
	for i, c := range line {
		if c == sep || sep == ' ' && c == '\t' {
			return i
		}
	}
	return len(line)
}

// trimLeft removes leading blanks. A tab is not a blank if it separates fields.
func trimLeft(line []byte, sep byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' && sep != '\t') {
		line = line[1:]
	}
	return line
}

// number parses a field. Hexadecimal numbers and underscores, which strconv accepts, are errors.
func number(field []byte) (float64, error) {
	if v, ok := plainNumber(field); ok {
		return v, nil
	}
	v, err := strconv.ParseFloat(string(field), 64)
	switch {
	case v-v != 0: // NaN, infinity, or out of range
		return 0, fmt.Errorf("%q: %w", clip(field), rkhs.ErrNotFinite)
	case err == nil && !bytes.ContainsAny(field, "_xX"):
		return v, nil
	case len(field) == 0:
		return 0, fmt.Errorf("no value: %w", rkhs.ErrFormat)
	}
	return 0, fmt.Errorf("%q is not a number: %w", clip(field), rkhs.ErrFormat)
}

// isNumber reports whether a field is a number, NaN or an infinity.
func isNumber(field []byte) bool {
	_, err := number(field)
	return err == nil || errors.Is(err, rkhs.ErrNotFinite)
}

// clip shortens a field for an error message.
func clip(field []byte) string {
	const most = 32
	if len(field) > most {
		return string(field[:most]) + "…"
	}
	return string(field)
}
