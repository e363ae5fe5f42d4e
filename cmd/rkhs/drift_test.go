package main

import (
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/recipe"
)

// TestDriftReport: counts of batches are sums; a rare number outside the range is not reported.
func TestDriftReport(t *testing.T) {
	var d drift
	d.add(150, []recipe.Count{{Column: "a", Missing: 1, Outside: 2}, {Column: "b", Outside: 1}, {Column: "c", Absent: true, Missing: 150}})
	d.add(50, []recipe.Count{{Column: "a", Missing: 2, Unknown: 4, Outside: 1}, {Column: "b", Outside: 1}})
	var b strings.Builder
	d.report(&b)
	want := `a: 3 of 200 cells missing
a: unknown level in 4 of 200 cells
c: no such column in the file, treated as missing
outside the range of the training rows, in 200 rows: 3 of a
`
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
