package dataset

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
)

// Kind is the kind of the cells of a column.
type Kind uint8

const (
	// UnknownKind is the kind of a column before all its cells are read.
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

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKind(string(text))
	return err
}

// ParseKind returns the kind of the given name: number, category, text, date, identifier or blank.
func ParseKind(name string) (Kind, error) {
	if k := Kind(max(slices.Index(kindNames, name), 0)); k.valid() {
		return k, nil
	}
	return UnknownKind, fmt.Errorf("dataset: %q is no kind of a column, want one of %v: %w", name, kindNames[1:], rkhs.ErrOption)
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
