package recipe

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Rows are rows to learn from, or to score with.
type Rows struct {
	// X holds the rows, with their weights if there are any (rkhs.Weighted).
	X mat.Matrix
	// Y holds the target (n×1): numbers, or those of the classes of Recipe.Classes.
	Y *mat.Dense
	// Dropped counts rows that were left out since their target is missing.
	Dropped int
	// Counts are those of Recipe.Inputs.
	Counts []Count

	gaps gaps
}

// Rows returns the rows of a table that have a target. Errors are those of Inputs, and
// rkhs.ErrOption for a table without the columns of the target or of the weights,
// rkhs.ErrLabels for a class that the recipe does not know, and those of weights at fault.
func (r *Recipe) Rows(t *dataset.Table) (*Rows, error) { return r.rows(t, false) }

// rows is Rows, with the number of classes as that of one that is not known, if such are borne.
func (r *Recipe) rows(t *dataset.Table, borne bool) (*Rows, error) {
	if r.Width() == 0 {
		return nil, fmt.Errorf("%s: the recipe was not learned: %w", pkg, rkhs.ErrUnfitted)
	}
	c := t.Column(r.target.name)
	if c == nil {
		return nil, fmt.Errorf("%s: the rows have no column %q, the target, only %q: %w", pkg, r.target.name, namesOf(t.Columns()), rkhs.ErrOption)
	}
	var kept []int
	var y []float64
	for i := range c.Len() {
		v, ok, err := r.target.of(t, c, i, borne)
		if err != nil {
			return nil, err
		}
		if ok {
			kept, y = append(kept, i), append(y, v)
		}
	}
	if len(y) == 0 {
		return nil, fmt.Errorf("%s: the target %q is missing in all %d rows: %w", pkg, r.target.name, c.Len(), rkhs.ErrEmpty)
	}
	rows := &Rows{Y: mat.NewDense(len(y), 1, y), Dropped: c.Len() - len(y)}
	if rows.Dropped > 0 {
		t = t.Select(kept)
	}
	var err error
	if rows.X, rows.Counts, rows.gaps, err = r.encodeRows(t); err != nil || r.weights == "" {
		return rows, err
	}
	rows.X, err = r.weighted(t, rows.X)
	return rows, err
}

// weighted returns x with the weights of the rows.
func (r *Recipe) weighted(t *dataset.Table, x mat.Matrix) (mat.Matrix, error) {
	c := t.Column(r.weights)
	if c == nil {
		return nil, fmt.Errorf("%s: the rows have no column %q, the weights: %w", pkg, r.weights, rkhs.ErrOption)
	}
	w := rkhs.Weighted{Matrix: x}
	for i := range c.Len() {
		v, ok, err := c.Number(i)
		if err == nil && !ok {
			err = fmt.Errorf("column %q: the weight is missing: %w", r.weights, rkhs.ErrFormat)
		}
		if err == nil && v < 0 {
			err = fmt.Errorf("column %q: the weight %v is negative: %w", r.weights, v, rkhs.ErrDomain)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", pkg, t.Line(i), err)
		}
		w.Weights = append(w.Weights, v)
	}
	return w, nil
}
