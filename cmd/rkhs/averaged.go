package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/recipe"
)

// addAveraged adds the report of a batch, which is nil if no row is an average.
func addAveraged(sum recipe.Averaged, batch *recipe.Averaged) recipe.Averaged {
	if batch == nil {
		return sum
	}
	sum.Rows += batch.Rows
	sum.Over = batch.Over
	for _, name := range batch.Columns {
		if !slices.Contains(sum.Columns, name) {
			sum.Columns = append(sum.Columns, name)
		}
	}
	return sum
}

// tellAveraged writes a line about rows that are predicted by averages, if there are any.
func tellAveraged(w io.Writer, a *recipe.Averaged) {
	if a == nil || a.Rows == 0 {
		return
	}
	columns := "column"
	if len(a.Columns) > 1 {
		columns = "columns"
	}
	fmt.Fprintf(w, "%d rows: no known value in %s %s, averaged over %d similar training rows\n", a.Rows, columns, strings.Join(a.Columns, ", "), a.Over)
}
