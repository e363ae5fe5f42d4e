package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is a text table with a title, a head, and rows of the same number of fields.
type Table struct {
	Title string
	Head  []string
	rows  [][]string
}

// Row appends a row.
func (t *Table) Row(fields ...string) { t.rows = append(t.rows, fields) }

// Print writes the table to w with aligned columns.
func (t *Table) Print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "\n%s\n", t.Title); err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range append([][]string{t.Head}, t.rows...) {
		fmt.Fprintln(out, strings.Join(r, "\t")) // Flush returns any error
	}
	return out.Flush()
}
