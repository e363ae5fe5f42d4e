package recipe

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Rows are encoded rows with their targets.
type Rows struct {
	// X holds the rows, as rkhs.Weighted if the recipe has weights.
	X mat.Matrix
	// Y holds the targets (n×1): numbers, or indices in Recipe.Classes.
	Y *mat.Dense
	// Dropped counts the rows without a target.
	Dropped int
	// Counts are the counts of Recipe.Inputs.
	Counts []Count

	gaps gaps
}

// Rows encodes the rows of a table that have a target. Errors are as for Inputs, and rkhs.ErrOption
// for a table without the column of the target or the weights, rkhs.ErrLabels for an unknown class,
// and rkhs.ErrFormat or rkhs.ErrDomain for an invalid weight.
func (r *Recipe) Rows(t *dataset.Table) (*Rows, error) { return r.rows(t, false) }

// rows is Rows, where unknown classes may be allowed. They get the label len(classes).
func (r *Recipe) rows(t *dataset.Table, unknown bool) (*Rows, error) {
	if r.Width() == 0 {
		return nil, fmt.Errorf("%s: the recipe was not learned: %w", pkg, rkhs.ErrUnfitted)
	}
	c, err := read(t, r.target.name, r.target.read)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, fmt.Errorf("%s: the rows have no column %q, the target, only %q: %w", pkg, r.target.name, namesOf(t.Columns()), rkhs.ErrOption)
	}
	var kept []int
	var y []float64
	for i := range c.Len() {
		v, ok, err := r.target.value(c, i, unknown)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", pkg, t.Line(i), err)
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
	e, err := r.encodeRows(t)
	if err != nil {
		return nil, err
	}
	rows.X, rows.Counts, rows.gaps = e.x, e.counts, e.gaps
	if r.weights != "" {
		if rows.X, err = r.withWeights(t, e.x); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// withWeights adds the weights of the rows to x.
func (r *Recipe) withWeights(t *dataset.Table, x mat.Matrix) (mat.Matrix, error) {
	c, err := read(t, r.weights, r.weightsRead)
	if err != nil {
		return nil, err
	}
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
