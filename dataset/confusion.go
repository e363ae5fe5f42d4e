package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"
)

// ConfusionMatrix counts the rows by true and predicted label.
type ConfusionMatrix struct {
	// Labels are the true and predicted labels in ascending order.
	Labels []int
	// Counts(i, j) is the number, or the total weight, of the rows with the label Labels[i] and the
	// prediction Labels[j].
	Counts *mat.Dense
}

// Confusion returns the confusion matrix of predicted and y, both n×1. Errors are as for
// Accuracy. O(n + K²) for K labels.
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

// String returns a table with a line per true label and a column per predicted label.
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
