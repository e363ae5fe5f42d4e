package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"
)

// ConfusionMatrix tells which labels were taken for which.
type ConfusionMatrix struct {
	// Labels are those that occur, true or predicted, in ascending order.
	Labels []int
	// Counts holds at (i, j) the number of rows of Labels[i] that were predicted to
	// be of Labels[j], or the sum of their weights.
	Counts *mat.Dense
}

// Confusion counts the rows of each pair of labels in y and predicted, both n×1.
// The errors are those of Accuracy. O(n + K²) for K labels.
func Confusion(predicted, y mat.Matrix) (*ConfusionMatrix, error) {
	p, t, w, err := labelPair("confusion", predicted, y)
	if err != nil {
		return nil, err
	}
	at := make(map[int]int)
	for i := range t {
		at[p[i]], at[t[i]] = 0, 0
	}
	c := &ConfusionMatrix{Labels: slices.Sorted(maps.Keys(at)), Counts: mat.NewDense(len(at), len(at), nil)}
	for k, l := range c.Labels {
		at[l] = k
	}
	for i := range t {
		row, column := at[t[i]], at[p[i]]
		c.Counts.Set(row, column, c.Counts.At(row, column)+w.At(i))
	}
	return c, nil
}

// String returns a table with a line for each true label and a column for each
// predicted one.
func (c *ConfusionMatrix) String() string {
	if c == nil {
		return "<nil>"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "true\\predicted\t")
	for _, l := range c.Labels {
		fmt.Fprintf(w, "%d\t", l)
	}
	for i, l := range c.Labels {
		fmt.Fprintf(w, "\n%d\t", l)
		for _, n := range c.Counts.RawRowView(i) {
			fmt.Fprintf(w, "%v\t", n)
		}
	}
	fmt.Fprintln(w)
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
