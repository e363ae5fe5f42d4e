package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// drift sums the counts of cells that differ from the training rows.
type drift struct {
	rows   int
	counts []recipe.Count // one for each column
}

// add sums the counts of a batch.
func (d *drift) add(rows int, counts []recipe.Count) {
	d.rows += rows
	for _, c := range counts {
		i := slices.IndexFunc(d.counts, func(sum recipe.Count) bool { return sum.Column == c.Column })
		if i < 0 {
			d.counts = append(d.counts, c)
			continue
		}
		d.counts[i].Missing += c.Missing
		d.counts[i].Unknown += c.Unknown
		d.counts[i].Outside += c.Outside
	}
}

// report writes a line for each column with missing cells or unknown levels, and one line for columns
// with more than one in a hundred numbers outside the range of the training rows.
func (d *drift) report(w io.Writer) {
	cells := summary.Count(d.rows, "cell")
	var outside []string
	for _, c := range d.counts {
		name := escape(c.Column)
		if c.Absent {
			fmt.Fprintf(w, "%s: no such column in the file, treated as missing\n", name)
			continue
		}
		if c.Missing > 0 {
			fmt.Fprintf(w, "%s: %d of %s missing\n", name, c.Missing, cells)
		}
		if c.Unknown > 0 {
			fmt.Fprintf(w, "%s: unknown level in %d of %s\n", name, c.Unknown, cells)
		}
		if 100*c.Outside > d.rows {
			outside = append(outside, fmt.Sprintf("%d of %s", c.Outside, name))
		}
	}
	if more := len(outside) - mostNoted; more > 0 {
		outside = append(outside[:mostNoted], summary.Count(more, "more column"))
	}
	if len(outside) > 0 {
		fmt.Fprintf(w, "outside the range of the training rows, in %s: %s\n", summary.Count(d.rows, "row"), strings.Join(outside, ", "))
	}
}
