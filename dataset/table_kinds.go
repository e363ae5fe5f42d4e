package dataset

import (
	"bytes"
	"fmt"
	"time"

	"github.com/rkhs-go/rkhs"
)

// Kind is what the cells of a column are.
type Kind uint8

const (
	// UnknownKind is the kind of a column of which not all cells have been seen.
	UnknownKind Kind = iota
	// Number are numbers.
	Number
	// Category are names, of which rows have the same ones again and again.
	Category
	// Text are texts of several words.
	Text
	// Date are days, or points in time.
	Date
	// Identifier are names that are nearly all different, of which nothing can be learned.
	Identifier
	// Blank is a column without any cell that is not missing.
	Blank
)

var kindNames = [...]string{"unknown", "number", "category", "text", "date", "identifier", "blank"}

func (k Kind) valid() bool { return k > UnknownKind && int(k) < len(kindNames) }

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind of a name: number, category, text, date, identifier or blank.
func ParseKind(name string) (Kind, error) {
	for k, n := range kindNames {
		if k := Kind(k); n == name && k.valid() {
			return k, nil
		}
	}
	return UnknownKind, fmt.Errorf("dataset: %q is no kind of a column, want one of %v: %w", name, kindNames[1:], rkhs.ErrOption)
}

const (
	// strayCells is the fraction of other texts that a column of numbers or dates may have:
	// these are faults in the file, and made known, where more would be categories.
	strayCells = 0.01
	// differentNames is the fraction of different names among those of a column beyond which
	// they identify rows.
	differentNames = 0.9
	// fewNames is the number of names below which nothing is concluded from that.
	fewNames = 30
	// wordsOfText is the mean number of words from which on different cells are texts.
	wordsOfText = 3
)

// find sets the kind of the column by its cells: numbers or dates if nearly all are; names
// otherwise, or texts if most differ and have several words.
func (c *Column) find() {
	total, numbers, dates, words := 0, 0, 0, 0
	different := make(map[string]struct{})
	for i := range c.ends {
		cell := c.cell(i)
		if c.missing(cell) {
			continue
		}
		total++
		if _, err := c.read.number(cell); err == nil {
			numbers++
			continue
		}
		if _, ok := c.read.date(cell); ok {
			dates++
		}
		words += len(bytes.Fields(cell))
		if _, known := different[string(cell)]; !known {
			different[string(cell)] = struct{}{}
		}
	}
	names := total - numbers
	few := func(part int) bool { return float64(total-part) <= strayCells*float64(total) }
	unlike := float64(len(different)) > differentNames*float64(total)
	switch {
	case total == 0:
		c.kind = Blank
	case few(numbers):
		c.kind = Number
	case few(dates):
		c.kind = Date
	case 2*len(different) > total && words >= wordsOfText*names && total >= fewNames:
		c.kind = Text
	case unlike && total >= fewNames:
		c.kind = Identifier
	default:
		c.kind = Category
	}
}

// Time returns the time in a cell, and whether there is one. A text that is none is
// rkhs.ErrFormat, which names the column alone.
func (c *Column) Time(row int) (t time.Time, ok bool, err error) {
	cell := c.cell(row)
	if c.missing(cell) {
		return t, false, nil
	}
	if t, ok = c.read.date(cell); !ok {
		return t, false, fmt.Errorf("column %q: %q is not a date of a known layout: %w", c.name, clip(cell), rkhs.ErrFormat)
	}
	return t, true, nil
}
