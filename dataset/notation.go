package dataset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Notation describes how the texts of a column represent its values.
type Notation struct {
	// Kind is the kind of the column.
	Kind Kind
	// DecimalComma reads 1,5 as one and a half.
	DecimalComma bool
	// Grouped accepts separators of thousands.
	Grouped bool
	// Unit is the unit of all numbers, such as kg, % or $.
	Unit string
	// Dates lists layouts of package time in addition to the default layouts.
	Dates []string
	// Missing lists texts of missing cells in addition to the default texts.
	Missing []string
}

var (
	// missingTexts are missing in all columns.
	missingTexts = []string{"", "NA", "N/A", "NaN", "nan", "NULL", "null"}
	// missingWords, in upper or lower case, are missing in columns of numbers or dates.
	missingWords = []string{"-", "--", "?", ".", "*", "na", "n/a", "n.a.", "nan", "nil", "none", "null", "missing", "unknown",
		"undefined", "#n/a", "#na", "#null!", "#value!", "#ref!", "#div/0!", "#num!", "#name?"}

	dateLayouts = []string{time.RFC3339,
		"2006-01-02", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04",
		"2006/01/02", "2006/01/02 15:04:05", "2006/01/02 15:04",
		"02.01.2006", "02.01.2006 15:04:05", "02.01.2006 15:04",
		"2 Jan 2006", "2 January 2006", "2-Jan-2006", "2-January-2006"}
	// namedLayouts begin with the name of a month.
	namedLayouts = []string{"Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "January 2 2006"}

	dayFirst   = [...]string{"2/1/2006", "2/1/2006 15:04", "2/1/2006 15:04:05", "2-1-2006", "2-1-2006 15:04", "2-1-2006 15:04:05"}
	monthFirst = [...]string{"1/2/2006", "1/2/2006 15:04", "1/2/2006 15:04:05", "1-2-2006", "1-2-2006 15:04", "1-2-2006 15:04:05"}
)

// isMissingWord reports whether a text is missing in a column of numbers or dates.
func isMissingWord(text string) bool {
	return len(text) <= len("undefined") && slices.Contains(missingWords, strings.ToLower(text))
}

// MissingTexts returns all texts of missing cells, the empty text first. Words match in upper and
// lower case.
func (n Notation) MissingTexts() []string {
	texts := slices.Concat(missingTexts, n.Missing)
	if n.hasMissingWords() {
		texts = append(texts, missingWords...)
	}
	return texts
}

func (n Notation) hasMissingWords() bool {
	return n.Kind == Number || n.Kind == Date || n.Kind == Blank
}

// parser parses the texts of a column.
type parser struct {
	Notation
	missing map[string]bool
	layouts []string
	comma   bool // the separator of the file is a semicolon, so a comma is likely decimal
}

func newParser(n Notation, comma bool) *parser {
	p := &parser{Notation: n, missing: map[string]bool{}, comma: comma, layouts: slices.Concat(dateLayouts, n.Dates)}
	for _, text := range slices.Concat(missingTexts, n.Missing) {
		p.missing[text] = true
	}
	return p
}

// with returns a parser for another notation that keeps the options of p.
func (p *parser) with(n Notation) *parser {
	n.DecimalComma = n.DecimalComma || p.DecimalComma
	n.Dates, n.Missing = union(n.Dates, p.Dates), union(n.Missing, p.Missing)
	return newParser(n, p.comma)
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// isMissing reports whether a cell with a text is missing.
func (p *parser) isMissing(text string) bool {
	return p.missing[text] || p.Notation.hasMissingWords() && isMissingWord(text)
}

// readsPlainNumbers reports whether plainNumber and p read the same numbers.
func (p *parser) readsPlainNumbers() bool {
	for text := range p.missing {
		if _, ok := plainNumber([]byte(text)); ok {
			return false
		}
	}
	return p.Kind == Number && p.Unit == "" && !p.DecimalComma
}

// number parses a number with the unit of the column.
func (p *parser) number(cell []byte) (float64, error) {
	v, err := number(cell)
	if !p.DecimalComma && p.Unit == "" && err == nil {
		return v, nil
	}
	digits, unit, isAmount := amount(cell)
	text, grouped, ok := plain(digits, p.DecimalComma)
	switch {
	case isAmount && unit != p.Unit:
		return 0, fmt.Errorf("%q has the unit %q, want %q: %w", clip(cell), unit, p.Unit, rkhs.ErrFormat)
	case isAmount && ok && (!grouped || p.Grouped || p.DecimalComma):
		return number(text)
	case isAmount && p.DecimalComma:
		return 0, fmt.Errorf("%q has a point where the decimal sign is a comma: %w", clip(cell), rkhs.ErrFormat)
	case p.DecimalComma || err == nil:
		return 0, fmt.Errorf("%q is not a number with a decimal comma: %w", clip(cell), rkhs.ErrFormat)
	}
	return 0, err
}

// time parses a day or a time.
func (p *parser) time(text string) (time.Time, error) {
	layouts := p.layouts
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		layouts = slices.Concat(namedLayouts, p.Dates)
	}
	if t, ok := parseTime(text, layouts); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("%q is not a date of a known layout: %w", clip([]byte(text)), rkhs.ErrFormat)
}

func parseTime(text string, layouts []string) (t time.Time, ok bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return t, false
}
