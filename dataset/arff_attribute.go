package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs"
)

// attribute is a column of an ARFF file.
type attribute struct {
	name   string
	of     valueType
	layout string          // of dates
	levels map[string]bool // of a nominal attribute
	first  string          // level
}

// setType reads the type of an attribute.
func (t *attribute) setType(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return t.setLevels(text)
	}
	word, _, _ := bytes.Cut(text, []byte{' '})
	switch strings.ToLower(string(word)) {
	case "numeric", "real", "integer":
		t.of = numberValue
	case "string":
		t.of = textValue
	case "date":
		t.of, t.layout = timeValue, "2006-01-02T15:04:05"
		if java := strings.Trim(string(bytes.TrimSpace(text[len(word):])), `"'`); java != "" {
			t.layout = javaLayout.Replace(java)
		}
	default:
		return fmt.Errorf("type %q, want numeric, string, date or {levels}: %w", clip(text), rkhs.ErrFormat)
	}
	return nil
}

// javaLayout converts layouts of Java to layouts of package time.
var javaLayout = strings.NewReplacer("yyyy", "2006", "yy", "06", "MMM", "Jan", "MM", "01", "dd", "02",
	"HH", "15", "hh", "03", "mm", "04", "ss", "05", "SSS", "000", "a", "PM", "'", "", "Z", "-0700")

// setLevels reads {level, level, …}.
func (t *attribute) setLevels(text []byte) error {
	t.of, t.levels = textValue, map[string]bool{}
	for rest := text[1:]; ; {
		level, quoted, after, err := arffToken(rest, "}")
		if err != nil {
			return err
		}
		if level != "" || quoted {
			if len(t.levels) == 0 {
				t.first = level
			}
			t.levels[level] = true
		}
		switch {
		case len(after) == 0:
			return fmt.Errorf("the levels have no closing brace: %w", rkhs.ErrFormat)
		case after[0] == '}':
			return nil
		}
		rest = bytes.TrimPrefix(after, []byte{','})
	}
}

// addZero adds the cell for an index that a sparse row omits.
func (t *attribute) addZero(b *builder) error {
	switch {
	case t.of == numberValue:
		return b.addNumber(0)
	case len(t.levels) > 0:
		b.addText(t.first)
	default:
		return fmt.Errorf("attribute %q is a text or a date and has no value in a sparse row: %w", clip([]byte(t.name)), rkhs.ErrFormat)
	}
	return nil
}

// add adds a cell. A question mark, an empty cell and TableOptions.Missing are missing.
func (t *attribute) add(b *builder, cell string, quoted bool, parse *parser) (err error) {
	switch {
	case !quoted && (cell == "?" || cell == ""), slices.Contains(parse.Missing, cell):
		b.addMissing()
		return nil
	case t.of == numberValue:
		var v float64
		if v, err = number([]byte(cell)); err == nil {
			err = b.addNumber(v)
		}
	case t.of == timeValue:
		var at time.Time
		if at, err = time.Parse(t.layout, cell); err == nil {
			b.addTime(at)
		} else {
			err = fmt.Errorf("%q is not a date of the layout %s: %w", clip([]byte(cell)), t.layout, rkhs.ErrFormat)
		}
	case t.levels != nil && !t.levels[cell]:
		err = fmt.Errorf("%q is not a level: %w", clip([]byte(cell)), rkhs.ErrFormat)
	default:
		b.addText(cell)
	}
	if err != nil {
		return fmt.Errorf("attribute %q: %w", clip([]byte(t.name)), err)
	}
	return nil
}

// arffToken returns the first token of a text and the remaining text without leading blanks. A token
// ends at a comma, a blank or one of the stops.
func arffToken(text []byte, stops string) (token string, quoted bool, rest []byte, err error) {
	text = trimSpace(text)
	if len(text) == 0 || text[0] != '\'' && text[0] != '"' {
		end := bytes.IndexAny(text, ", \t"+stops)
		if end < 0 {
			end = len(text)
		}
		return string(text[:end]), false, trimSpace(text[end:]), nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == text[0]:
			rest = trimSpace(text[i+1:])
			adjacent := len(rest) > 0 && len(rest) == len(text)-i-1
			if adjacent && rest[0] != ',' && !strings.ContainsRune(stops, rune(rest[0])) {
				return "", true, nil, fmt.Errorf("%q after the closing quote: %w", clip(rest), rkhs.ErrFormat)
			}
			return b.String(), true, rest, nil
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(unescape(text[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", true, nil, fmt.Errorf("quote without end: %w", rkhs.ErrFormat)
}

// unescape returns the character of an escape sequence.
func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return c
}
