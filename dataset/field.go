package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/rkhs-go/rkhs"
)

// separator returns the byte that separates the fields of a line of CSV: the
// first of tab, semicolon and comma that occurs outside quotes, or a blank, for
// any number of blanks, if none does.
func separator(line []byte) byte {
	for _, sep := range []byte("\t;,") {
		quoted := false
		for _, c := range line {
			if c == '"' {
				quoted = !quoted
			}
			if c == sep && !quoted {
				return sep
			}
		}
	}
	return ' '
}

// cut returns the first field of a line, without the quotes around it and the
// blanks around and inside them, and the rest of the line; more says whether a
// separator came between.
func cut(line []byte, sep byte) (field, rest []byte, more bool, err error) {
	line = trimLeft(line, sep)
	quoted, err := quotedLen(line)
	if err != nil {
		return nil, nil, false, err
	}
	end := quoted + until(line[quoted:], sep)
	field = trimRight(line[:end])
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
	return trimRight(trimLeft(field[1:quoted-1], ' ')), rest, more, nil
}

// quotedLen returns the length of the quoted field, quotes included, with which
// a line begins, or 0 if it does not. Two quotes stand for one inside; they are
// left as they are, for no number has any.
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

// trimLeft cuts the blanks before a field off, of which a tab is none where it
// separates fields.
func trimLeft(line []byte, sep byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' && sep != '\t') {
		line = line[1:]
	}
	return line
}

// trimRight cuts the blanks after a field off.
func trimRight(field []byte) []byte {
	for n := len(field); n > 0 && (field[n-1] == ' ' || field[n-1] == '\t'); n-- {
		field = field[:n-1]
	}
	return field
}

// number returns the value of a field.
func number(field []byte) (float64, error) {
	v, err := strconv.ParseFloat(string(field), 64)
	switch {
	case v-v != 0: // NaN, infinity, or out of range
		return 0, fmt.Errorf("%q: %w", clip(field), rkhs.ErrNotFinite)
	case err == nil && isDecimal(field):
		return v, nil
	case len(field) == 0:
		return 0, fmt.Errorf("no value: %w", rkhs.ErrFormat)
	}
	return 0, fmt.Errorf("%q is not a number: %w", clip(field), rkhs.ErrFormat)
}

// isDecimal tells whether a number is without the hexadecimal digits and the
// underscores that strconv allows, as it does in Go source.
func isDecimal(field []byte) bool {
	for _, c := range field {
		if c == '_' || c == 'x' || c == 'X' {
			return false
		}
	}
	return true
}

// clip shortens a field to what an error message can bear.
func clip(field []byte) string {
	const most = 32
	if len(field) > most {
		return string(field[:most]) + "…"
	}
	return string(field)
}

// isNumber tells whether a field is a number, be it a NaN or an infinity.
func isNumber(field []byte) bool {
	_, err := number(field)
	return err == nil || errors.Is(err, rkhs.ErrNotFinite)
}
