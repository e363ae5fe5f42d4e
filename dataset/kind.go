package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
)

// Kind is the kind of the cells of a column.
type Kind uint8

const (
	// UnknownKind is the kind of a column of which not all cells are read.
	UnknownKind Kind = iota
	// Number is a column of numbers.
	Number
	// Category is a column of recurring names.
	Category
	// Text is a column of texts of several words.
	Text
	// Date is a column of days or times.
	Date
	// Identifier is a column of names that nearly all differ.
	Identifier
	// Blank is a column of missing cells only.
	Blank
)

var kindNames = []string{"unknown", "number", "category", "text", "date", "identifier", "blank"}

func (k Kind) valid() bool { return k > UnknownKind && int(k) < len(kindNames) }

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// ParseKind returns the kind of the given name: number, category, text, date, identifier or blank.
func ParseKind(name string) (Kind, error) {
	if k := Kind(max(slices.Index(kindNames, name), 0)); k.valid() {
		return k, nil
	}
	return UnknownKind, fmt.Errorf("dataset: %q is no kind of a column, want one of %v: %w", name, kindNames[1:], rkhs.ErrOption)
}

const (
	// strayCells is the largest fraction of other texts in a column of numbers or dates. They are
	// errors of the file; a column with more is not of that kind.
	strayCells = 0.01
	// differentNames is the fraction of different names above which a column identifies rows.
	differentNames = 0.9
	// fewNames is the number of names that Text and Identifier need.
	fewNames = 30
	// wordsOfText is the mean number of words of texts.
	wordsOfText = 3
)

// tally counts the cells of a column by their form.
type tally struct {
	total, numbers, dates, words, different int // of cells that are not missing
}

// tallyOf counts the cells of texts. Each different text is parsed once.
func tallyOf(c *texts, parse *parser) (t tally) {
	count := make([]int, len(c.levels))
	for _, code := range c.codes {
		count[code]++
	}
	for code, text := range c.levels {
		n := count[code]
		if n == 0 || parse.missing[text] {
			continue
		}
		t.total += n
		if _, err := parse.number([]byte(text)); err == nil {
			t.numbers += n
			continue
		}
		if _, err := parse.time(text); err == nil {
			t.dates += n
		}
		t.words += n * len(strings.Fields(text))
		t.different++
	}
	return t
}

// kind returns the kind of a column.
func (t tally) kind() Kind {
	names := t.total - t.numbers
	nearlyAll := func(part int) bool { return float64(t.total-part) <= strayCells*float64(t.total) }
	switch {
	case t.total == 0:
		return Blank
	case nearlyAll(t.numbers):
		return Number
	case nearlyAll(t.dates):
		return Date
	case 2*t.different > t.total && t.words >= wordsOfText*names && t.total >= fewNames:
		return Text
	case float64(t.different) > differentNames*float64(t.total) && t.total >= fewNames:
		return Identifier
	}
	return Category
}

// found returns the column with the kind of its texts.
func (c *Column) found() *Column {
	if text, ok := c.cells.(*texts); ok && c.kind == UnknownKind {
		return c.withKind(tallyOf(text, c.parse).kind())
	}
	return c
}

// withKind returns the column with a kind. Texts of numbers and dates become numbers and times.
func (c *Column) withKind(kind Kind) *Column {
	s := *c
	s.kind = kind
	if text, ok := c.cells.(*texts); ok {
		switch kind {
		case Number:
			s.cells = numbers(convert(&s, text, func(text string) (float64, error) { return c.parse.number([]byte(text)) }))
		case Date:
			s.cells = times(convert(&s, text, c.parse.time))
		}
	}
	return &s
}

// convert returns the values of the texts of a column. Texts without one become faults.
func convert[T any](c *Column, text *texts, parse func(text string) (T, error)) []T {
	values, failed := make([]T, len(text.levels)), make([]bool, len(text.levels))
	for code, level := range text.levels {
		v, err := parse(level)
		values[code], failed[code] = v, err != nil
	}
	list := make([]T, len(text.codes))
	for i, code := range text.codes {
		list[i] = values[code]
		if failed[code] && !c.Missing(i) {
			c.setFault(i, text.levels[code])
		}
	}
	return list
}
