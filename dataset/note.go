package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Note reports how the cells of a column were read.
type Note struct {
	Column string `json:"column"`
	Kind   Kind   `json:"kind"`
	// Cells is the number of cells.
	Cells int `json:"cells"`
	// Support is the fraction of the cells of the kind among the cells with a value. It is 0 without
	// values.
	Support float64 `json:"support"`
	// Missing counts the missing cells by text. The empty text includes missing values without a
	// text.
	Missing map[string]int `json:"missing,omitempty"`
	// Ignored is the reason why the table has no column for these cells, such as "nested values".
	Ignored string `json:"ignored,omitempty"`
	// Unit, DecimalComma and Grouped are fields of the Notation.
	Unit         string `json:"unit,omitempty"`
	DecimalComma bool   `json:"decimalComma,omitempty"`
	Grouped      bool   `json:"grouped,omitempty"`
	// Dates lists layouts found in the cells, in addition to default and given layouts.
	Dates []string `json:"dates,omitempty"`
	// Ambiguous lists two or more layouts that read all texts as dates, because no day is above 12.
	Ambiguous []string `json:"ambiguous,omitempty"`
	// Header is the name in the header if it differs from the name of the column.
	Header *string `json:"header,omitempty"`
	// Encoding is the encoding of texts that were not UTF-8, such as windows-1252.
	Encoding string `json:"encoding,omitempty"`
}

// origin describes the text of a column before it was decoded.
type origin struct {
	header   *string
	encoding string
}

// String returns the note as a line.
func (n Note) String() string {
	if n.Ignored != "" {
		return fmt.Sprintf("%s: ignored, %s with %s", n.Column, summary.Count(n.Cells, "cell"), n.Ignored)
	}
	parts := append([]string{fmt.Sprintf("%s: %v", n.Column, n.Kind)}, n.Remarks()...)
	if empty := n.Missing[""]; empty > 0 {
		parts = append(parts, fmt.Sprintf("%s missing", summary.Count(empty, "empty cell")))
	}
	return strings.Join(parts, "; ")
}

// Remarks returns the unexpected parts of the note: all parts except the kind and the empty cells.
func (n Note) Remarks() (list []string) {
	add := func(applies bool, format string, args ...any) {
		if applies {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(n.Ignored != "", "ignored: %s", n.Ignored)
	add(n.Header != nil && *n.Header == "", "no name in the header")
	add(n.Header != nil && *n.Header != "", "another column of this name")
	add(n.Encoding != "", "decoded from %s", n.Encoding)
	add(n.Support > 0 && n.Support < 1, "%.4g %% of the values are %vs", 100*n.Support, n.Kind)
	add(n.Unit != "", "numbers in %s", n.Unit)
	add(n.DecimalComma, "decimal comma")
	add(n.Grouped, "separators of thousands")
	add(len(n.Dates) > 0 && n.Kind == Date, "dates as %s", strings.Join(n.Dates, " or "))
	add(len(n.Ambiguous) > 0, "names that are dates as %s", strings.Join(n.Ambiguous, " or "))
	for _, text := range slices.Sorted(maps.Keys(n.Missing)) {
		add(text != "", "%q is missing in %s", text, summary.Count(n.Missing[text], "cell"))
	}
	return list
}

// Notes reports how the cells of each column were read, and then the ignored columns.
func (t *Table) Notes() []Note {
	var notes []Note
	for _, c := range t.orEmpty().columns {
		notes = append(notes, c.note())
	}
	return append(notes, t.orEmpty().source.ignored...)
}

// WithIgnored returns t with notes of columns that a reader ignored. It sums the cells of notes of
// the same column and reason.
func (t *Table) WithIgnored(notes ...Note) *Table {
	s := *t.orEmpty()
	s.source.ignored = mergeIgnored(s.source.ignored, notes)
	return &s
}

// mergeIgnored adds the cells of notes of the same column and reason.
func mergeIgnored(lists ...[]Note) (all []Note) {
	for _, n := range slices.Concat(lists...) {
		same := func(o Note) bool { return o.Column == n.Column && o.Ignored == n.Ignored }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Cells += n.Cells
		} else {
			all = append(all, n)
		}
	}
	return all
}

func (c *Column) note() Note {
	by := c.Notation()
	n := Note{Column: c.name, Kind: c.kind, Cells: c.Len(), Missing: c.missingTexts(), Unit: by.Unit, DecimalComma: by.DecimalComma,
		Grouped: by.Grouped, Dates: c.dates, Ambiguous: c.ambiguous, Header: c.origin.header, Encoding: c.origin.encoding}
	if values := n.Cells - c.countMissing(); values > 0 {
		n.Support = float64(values-len(c.faults)) / float64(values)
	}
	return n
}

// missingTexts counts missing cells by text.
func (c *Column) missingTexts() map[string]int {
	if c.gaps != nil {
		return maps.Clone(c.gaps)
	}
	if n := c.countMissing(); n > 0 {
		return map[string]int{"": n}
	}
	return nil
}
