package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs"
)

// TableOptions say how a file is read into a Table. The zero value serves most files.
type TableOptions struct {
	// Separator parts the cells of a line. Default: of tab, semicolon, comma and bar the one
	// that the first line has most of, or else blanks, any number of them, unless the line is
	// svmlight.
	Separator byte
	// Header says that the first line names the columns, and NoHeader that it does not.
	// Default: it does if none of its cells is a number.
	Header, NoHeader bool
	// DecimalComma reads 1,5 as one and a half, and 1.000,5 not at all.
	DecimalComma bool
	// Missing are texts that stand for a missing cell, beside the empty one and NA, N/A, NaN,
	// nan, NULL and null.
	Missing []string
	// Kinds are those of columns, by name, in place of what their cells tell.
	Kinds map[string]Kind
	// Skip, if not nil, is told why a row cannot be read, such as one of another number of
	// cells; it is left out, and reading goes on behind it. Default: it is an error.
	Skip func(err error)
	// Dates are layouts of dates, as package time has them, beside those of RFC 3339,
	// 2006-01-02 and 2006/01/02, with or without 15:04 or 15:04:05, and 02.01.2006.
	// Days and months parted by slashes are not guessed at: 02/01/2006 or 01/02/2006 must
	// be given.
	Dates []string
}

// reading is what all columns of a file share.
type reading struct {
	missing map[string]struct{}
	comma   bool
	dates   []string
	given   TableOptions // what of these was given
}

var (
	missingTexts = []string{"NA", "N/A", "NaN", "nan", "NULL", "null"}
	dateLayouts  = []string{time.RFC3339, "2006-01-02", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04",
		"2006/01/02", "2006/01/02 15:04:05", "2006/01/02 15:04", "02.01.2006", "02.01.2006 15:04:05", "02.01.2006 15:04"}
)

func (o TableOptions) reading() (*reading, error) {
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
	r := &reading{missing: make(map[string]struct{}), comma: o.DecimalComma, dates: append(dateLayouts[:len(dateLayouts):len(dateLayouts)], o.Dates...),
		given: TableOptions{DecimalComma: o.DecimalComma, Missing: slices.Clone(o.Missing), Dates: slices.Clone(o.Dates)}}
	for _, texts := range [][]string{missingTexts, o.Missing} {
		for _, text := range texts {
			r.missing[text] = struct{}{}
		}
	}
	return r, nil
}

// number returns the value of a cell.
func (r *reading) number(cell []byte) (float64, error) {
	if !r.comma {
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

// date returns the time that a cell tells.
func (r *reading) date(cell []byte) (time.Time, bool) {
	layouts := r.dates
	if len(cell) == 0 || cell[0] < '0' || cell[0] > '9' {
		layouts = layouts[len(dateLayouts):] // of the others all begin with a digit
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, string(cell)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// MissingTexts returns the texts that stand for a missing cell of tables that are read by o,
// the empty one first.
func (o TableOptions) MissingTexts() []string {
	return slices.Concat([]string{""}, missingTexts, o.Missing)
}
