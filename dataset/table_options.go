package dataset

import (
	"fmt"
	"slices"

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
	// DecimalComma reads 1,5 as one and a half in all columns. Default: the cells of each column
	// decide.
	DecimalComma bool
	// Missing lists texts of missing cells, in addition to the empty text, NA, N/A, NaN, nan, NULL
	// and null and, among numbers and dates, words such as "-", "?", "none" and "unknown".
	Missing []string
	// Kinds sets kinds of columns by name. Default: the cells decide.
	Kinds map[string]Kind
	// Notations sets how columns are read, by name, as in an earlier file (recipe.Recipe.Reading).
	// Columns that the file lacks are ignored.
	Notations map[string]Notation
	// Skip, if not nil, receives the error of an unreadable row, which is then skipped. Default:
	// reading fails.
	Skip func(err error)
	// Dates lists layouts of package time, in addition to RFC 3339, 2006-01-02, 2006/01/02 and
	// 02.01.2006, alone or with 15:04 or 15:04:05, and to names of months. Days such as 31/12/2020
	// are dates if some day of the column is above 12.
	Dates []string
}

// parser returns the parser of columns without a notation.
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
	return newParser(Notation{DecimalComma: o.DecimalComma, Dates: slices.Clone(o.Dates), Missing: slices.Clone(o.Missing)}, o.Separator == ';'), nil
}
