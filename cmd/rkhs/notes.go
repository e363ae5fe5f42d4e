package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
)

// mostNoted is the largest number of columns that a line of notes names.
const mostNoted = 8

// noteLines returns a line for each remark about how the cells of columns were read, with the names of
// its columns. It skips ignored columns.
func noteLines(notes []dataset.Note, ignored []string) (lines []string) {
	var remarks []string
	names := map[string][]string{}
	for _, n := range notes {
		if slices.Contains(ignored, n.Column) {
			continue
		}
		for _, remark := range append(n.Remarks(), hints(n)...) {
			if names[remark] == nil {
				remarks = append(remarks, remark)
			}
			names[remark] = append(names[remark], n.Column)
		}
	}
	for _, remark := range remarks {
		of := names[remark]
		line := strings.Join(of[:min(len(of), mostNoted)], ", ")
		if more := len(of) - mostNoted; more > 0 {
			line += " and " + summary.Count(more, "more column")
		}
		lines = append(lines, escape(line+": "+remark))
	}
	return lines
}

// hints returns the flags that read dates in which the day or the month may be first.
func hints(n dataset.Note) []string {
	if n.Ambiguous == nil {
		return nil
	}
	return []string{fmt.Sprintf("use -dates with the layout that applies, such as -dates %q", n.Ambiguous[0])}
}

// printNotes writes the remarks about the columns of a table.
func (a *arguments) printNotes(t *dataset.Table, ignored []string) {
	for _, line := range noteLines(t.Notes(), ignored) {
		fmt.Fprintf(a.err, "rkhs: %s\n", line)
	}
}
