package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Note reports how the cells of a column were read.
type Note struct {
	Column string `json:"column"`
	Kind   Kind   `json:"kind"`
	// Cells is the number of cells.
	Cells int `json:"cells"`
	// Support is the fraction of the cells with a value that are of the kind. It is 0 without values.
	Support float64 `json:"support"`
	// Missing counts the missing cells by text. The empty text also stands for missing values
	// without a text.
	Missing map[string]int `json:"missing,omitempty"`
	// Ignored is the reason why the table has no column for these cells, such as "nested values".
	Ignored string `json:"ignored,omitempty"`
}

// String returns the note as a line.
func (n Note) String() string {
	if n.Ignored != "" {
		return fmt.Sprintf("%s: ignored, %d cells with %s", n.Column, n.Cells, n.Ignored)
	}
	parts := []string{fmt.Sprintf("%s: %v", n.Column, n.Kind)}
	if n.Support > 0 && n.Support < 1 {
		parts[0] += fmt.Sprintf(" (%.4g %% of the values)", 100*n.Support)
	}
	for _, text := range slices.Sorted(maps.Keys(n.Missing)) {
		name := "empty"
		if text != "" {
			name = fmt.Sprintf("%q", text)
		}
		parts = append(parts, fmt.Sprintf("%d %s cells are missing", n.Missing[text], name))
	}
	return strings.Join(parts, ", ")
}

// Notes reports how the cells of each column were read, and then the ignored columns.
func (t *Table) Notes() []Note {
	var notes []Note
	for _, c := range t.orEmpty().columns {
		notes = append(notes, c.noteOf())
	}
	return append(notes, t.orEmpty().source.ignored...)
}

// WithIgnored returns t with a note of columns that a reader ignored. Notes of one column and
// reason are added up.
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

func (c *Column) noteOf() Note {
	n := Note{Column: c.name, Kind: c.kind, Cells: c.Len(), Missing: maps.Clone(c.gaps)}
	missing := c.countMissing()
	if n.Missing == nil && missing > 0 {
		n.Missing = map[string]int{"": missing}
	}
	if values := n.Cells - missing; values > 0 {
		n.Support = float64(values-len(c.faults)) / float64(values)
	}
	return n
}
