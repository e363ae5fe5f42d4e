package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs"
)

// TableOptions configures how a file is read into a Table. The zero value fits most files.
type TableOptions struct {
	// Separator separates the cells of a line. Default: the most frequent of tab, semicolon, comma
	// and bar in the first line, or any number of blanks.
	Separator byte
	// Header states that the first line names the columns, and NoHeader that it does not. Default:
	// it does if no cell is a number.
	Header, NoHeader bool
	// DecimalComma reads 1,5 as one and a half. Thousands separators are errors.
	DecimalComma bool
	// Missing lists texts of missing cells, in addition to the empty text, NA, N/A, NaN, nan, NULL
	// and null.
	Missing []string
	// Kinds sets kinds of columns by name. Default: the cells decide.
	Kinds map[string]Kind
	// Skip, if not nil, receives the error of an unreadable row, which is then skipped. Default:
	// reading fails.
	Skip func(err error)
	// Dates lists layouts of package time, in addition to RFC 3339, 2006-01-02 and 2006/01/02,
	// alone or with 15:04 or 15:04:05, and 02.01.2006. Layouts such as 02/01/2006 are ambiguous
	// and have no default.
	Dates []string
}

// parser parses the cells of all columns of a file.
type parser struct {
	missing map[string]bool
	dates   []string
	given   TableOptions
}

var (
	missingTexts = []string{"NA", "N/A", "NaN", "nan", "NULL", "null"}
	dateLayouts  = []string{time.RFC3339,
		"2006-01-02", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04",
		"2006/01/02", "2006/01/02 15:04:05", "2006/01/02 15:04",
		"02.01.2006", "02.01.2006 15:04:05", "02.01.2006 15:04"}
)

// defaultParser is the parser of TableOptions{}.
var defaultParser, _ = TableOptions{}.parser()

func (o TableOptions) parser() (*parser, error) {
	switch {
	case o.Header && o.NoHeader:
		return nil, fmt.Errorf("options Header and NoHeader are both set: %w", rkhs.ErrOption)
	case o.Separator == '"' || o.Separator == '\n' || o.Separator == '\r' || o.Separator > 127:
		return nil, fmt.Errorf("option Separator = %q: %w", o.Separator, rkhs.ErrOption)
	}
	for name, k := range o.Kinds {
		if !k.valid() {
			return nil, fmt.Errorf("option Kinds: %v of column %q: %w", k, name, rkhs.ErrOption)
		}
	}
	o.Missing, o.Dates = slices.Clone(o.Missing), slices.Clone(o.Dates)
	p := &parser{missing: make(map[string]bool), dates: slices.Concat(dateLayouts, o.Dates), given: o}
	for _, text := range o.MissingTexts() {
		p.missing[text] = true
	}
	return p, nil
}

// MissingTexts returns all texts of missing cells, the empty text first.
func (o TableOptions) MissingTexts() []string {
	return slices.Concat([]string{""}, missingTexts, o.Missing)
}

func (p *parser) number(cell []byte) (float64, error) {
	if !p.given.DecimalComma {
		return number(cell)
	}
	if bytes.IndexByte(cell, '.') >= 0 {
		return 0, fmt.Errorf("%q has a point where the decimal sign is a comma: %w", clip(cell), rkhs.ErrFormat)
	}
	v, err := number(bytes.Replace(cell, []byte{','}, []byte{'.'}, 1))
	if err != nil {
		return 0, fmt.Errorf("%q is not a number with a decimal comma: %w", clip(cell), rkhs.ErrFormat)
	}
	return v, nil
}

func (p *parser) time(text string) (time.Time, error) {
	layouts := p.dates
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		layouts = layouts[len(dateLayouts):] // the default layouts begin with a digit
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date of a known layout: %w", clip([]byte(text)), rkhs.ErrFormat)
}
