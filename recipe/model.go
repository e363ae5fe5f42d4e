package recipe

import (
	"context"
	"encoding"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Model is a recipe with a model of its encoded rows. It is immutable and safe for concurrent use.
type Model struct {
	recipe *Recipe
	model  rkhs.Model
}

var (
	_ encoding.BinaryMarshaler   = (*Model)(nil)
	_ encoding.BinaryUnmarshaler = (*Model)(nil)
)

// Fit learns a recipe and fits a learner to its rows. fit is the function of a learner, such as
// ridge.Fit or doublysgd.FitClassifier, with its options. A fit that stops early returns its model
// and the error.
func Fit[O any, M rkhs.Model](ctx context.Context, t *dataset.Table, opts Options, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), fitOptions *O) (*Model, error) {
	r, err := Learn(t, opts)
	if err != nil {
		return nil, err
	}
	rows, err := r.Rows(t)
	if err != nil {
		return nil, err
	}
	m, fitErr := fit(ctx, rows.X, rows.Y, fitOptions)
	if input.IsNil(m) {
		return nil, fitErr
	}
	model, err := New(r, m)
	if err != nil {
		return nil, err
	}
	return model, fitErr
}

// New combines a recipe with a model of its rows, which is a classifier if the recipe has classes.
func New(r *Recipe, m rkhs.Model) (*Model, error) {
	if r.Width() == 0 || input.IsNil(m) {
		return nil, fmt.Errorf("%s: New needs a fitted recipe and a model: %w", pkg, rkhs.ErrUnfitted)
	}
	if err := r.fits(m); err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	return &Model{r, m}, nil
}

// fits returns an error unless m is a model of rows of the recipe.
func (r *Recipe) fits(m rkhs.Model) error {
	inputs, outputs := m.Dims()
	if inputs != r.Width() {
		return fmt.Errorf("a model of %d columns, where the recipe makes %d: %w", inputs, r.Width(), rkhs.ErrShape)
	}
	c, classifier := m.(rkhs.Classifier)
	switch {
	case classifier != (r.target.classes != nil):
		return fmt.Errorf("a %T, where the target is %v: %w", m, &r.target, rkhs.ErrLabels)
	case !classifier && outputs != 1:
		return fmt.Errorf("a model of %d outputs, want 1: %w", outputs, rkhs.ErrShape)
	case !classifier:
		return nil
	}
	for _, label := range c.Labels() {
		if label < 0 || label >= len(r.target.classes) {
			return fmt.Errorf("a classifier of label %d, where there are %d classes: %w", label, len(r.target.classes), rkhs.ErrLabels)
		}
	}
	return nil
}

// Recipe returns the recipe.
func (m *Model) Recipe() *Recipe {
	if m == nil {
		return nil
	}
	return m.recipe
}

// Model returns the model of the encoded rows.
func (m *Model) Model() rkhs.Model {
	if m == nil {
		return nil
	}
	return m.model
}

func (m *Model) fitted() bool { return m != nil && m.recipe.Width() > 0 && m.model != nil }

// Predict predicts the rows of a table, which needs no target. Errors are as for Recipe.Inputs and
// for the model, and rkhs.ErrUnfitted.
func (m *Model) Predict(t *dataset.Table) (*Predictions, error) { return m.PredictIntervals(t, 0) }

// PredictIntervals is Predict with prediction intervals, if the model has them. level is the coverage
// of the intervals, between 0 and 1; 0 omits them.
func (m *Model) PredictIntervals(t *dataset.Table, level float64) (*Predictions, error) {
	if !m.fitted() {
		return nil, fmt.Errorf("%s: Predict of a model that was not fitted: %w", pkg, rkhs.ErrUnfitted)
	}
	e, err := m.recipe.encodeRows(t)
	if err != nil {
		return nil, err
	}
	p, err := m.predict(e.x, e.gaps, level)
	if err != nil {
		return nil, err
	}
	p.Counts = e.counts
	if c, ok := m.model.(rkhs.Classifier); ok {
		p.name(c.Labels(), m.recipe.target.classes)
	}
	return p, nil
}
