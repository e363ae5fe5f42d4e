package recipe

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Model is a recipe with a model of the rows that it makes. It is immutable and safe for
// concurrent use.
type Model struct {
	recipe *Recipe
	model  rkhs.Model
}

// Fit learns a recipe and fits a learner to its rows: fit is the function of any
// learner, such as ridge.Fit or doublysgd.FitClassifier, and fitOptions are its options. A
// fit that ends early returns its model together with the error.
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
	if door.IsNil(m) {
		return nil, fitErr
	}
	model, err := New(r, m)
	if err != nil {
		return nil, err
	}
	return model, fitErr
}

// New returns a recipe with a model of its rows: a classifier where the recipe has classes.
func New(r *Recipe, m rkhs.Model) (*Model, error) {
	if r.Width() == 0 || door.IsNil(m) {
		return nil, fmt.Errorf("%s: New of a recipe that was not learned, or of no model: %w", pkg, rkhs.ErrUnfitted)
	}
	if err := r.fits(m); err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	return &Model{r, m}, nil
}

// given refuses no model.
func given(m rkhs.Model) error {
	if door.IsNil(m) {
		return fmt.Errorf("%s: there is no model: %w", pkg, rkhs.ErrUnfitted)
	}
	return nil
}

// fits returns why a model is not one of the recipe's rows, or nil.
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

// Model returns the model of the recipe's rows.
func (m *Model) Model() rkhs.Model {
	if m == nil {
		return nil
	}
	return m.model
}

func (m *Model) fitted() bool { return m != nil && m.recipe.Width() > 0 && m.model != nil }

// Predict predicts from raw rows, which need no target. Errors are those of Recipe.Inputs and of the
// model, and rkhs.ErrUnfitted.
func (m *Model) Predict(t *dataset.Table) (*Predictions, error) { return m.PredictIntervals(t, 0) }

// PredictIntervals is Predict with the ends of prediction intervals of a level between 0 and 1, of
// a regression that has them; 0 leaves them out.
func (m *Model) PredictIntervals(t *dataset.Table, level float64) (*Predictions, error) {
	if !m.fitted() {
		return nil, fmt.Errorf("%s: Predict of a model that was not fitted: %w", pkg, rkhs.ErrUnfitted)
	}
	x, counts, g, err := m.recipe.encodeRows(t)
	if err != nil {
		return nil, err
	}
	p, err := m.predict(x, g, level)
	if err != nil {
		return nil, err
	}
	p.Counts = counts
	if c, ok := m.model.(rkhs.Classifier); ok {
		p.name(c.Labels(), m.recipe.target.classes)
	}
	return p, nil
}

// Score says how well predictions are.
type Score struct {
	// Rows are those that have a target.
	Rows int
	// RMSE, MAE and R2 are those of a regression (dataset.RMSE, dataset.MAE, dataset.R2). R2 is
	// 0 where all targets are the same.
	RMSE, MAE, R2 float64
	// Errors is the fraction of rows of which a classifier predicts another class.
	Errors float64
	// Unknown counts rows of classes that the classifier does not know. Each is an error.
	Unknown int
	// LogLoss and CalibrationError are those of the probabilities (dataset.LogLoss, and
	// dataset.CalibrationError in 15 bins); 0 of a model without, and where there are
	// rows of classes that it does not know.
	LogLoss, CalibrationError float64
	// Coverage is the fraction of targets inside of intervals of level .9, and Width their
	// mean width; 0 of a model without.
	Coverage, Width float64
	// Confusion counts rows by class and prediction; nil of a regression. Classes that a recipe
	// does not know are together the one after its last.
	Confusion *dataset.ConfusionMatrix
	// Baseline is the RMSE of the mean of these targets, or the fraction of rows
	// that are not of their most frequent class.
	Baseline float64
	// Averaged reports predictions that are averages over similar training rows; nil if none are.
	Averaged *Averaged
}

// Score compares predictions with the targets of a table; rows without one are left out. Errors are
// those of Recipe.Rows, but that classes which the recipe does not know are borne.
func (m *Model) Score(t *dataset.Table) (*Score, error) {
	if !m.fitted() {
		return nil, fmt.Errorf("%s: Score of a model that was not fitted: %w", pkg, rkhs.ErrUnfitted)
	}
	rows, err := m.recipe.rows(t, true)
	if err != nil {
		return nil, err
	}
	by, averaged, err := m.answering(rows.X, rows.gaps)
	if err != nil {
		return nil, err
	}
	s, err := ScoreOf(by, rows.X, rows.Y)
	if s != nil {
		s.Averaged = averaged
	}
	return s, err
}

// ScoreOf is Score of a model by rows x, which may be rkhs.Weighted, and their targets.
func ScoreOf(m rkhs.Model, x, y mat.Matrix) (*Score, error) {
	if err := given(m); err != nil {
		return nil, err
	}
	truth, rows := y, x
	if w, ok := x.(rkhs.Weighted); ok {
		truth, rows = rkhs.Weighted{Matrix: y, Weights: w.Weights}, w.Matrix
	}
	p, err := m.Predict(rows)
	if err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	s := &Score{Rows: n}
	if c, ok := m.(rkhs.Classifier); ok {
		if err := s.classes(p, y, truth, c.Labels()); err != nil {
			return nil, err
		}
		return s, s.probabilities(m, rows, truth)
	}
	for _, score := range []struct {
		dst *float64
		of  func(predicted, y mat.Matrix) (float64, error)
	}{{&s.RMSE, dataset.RMSE}, {&s.MAE, dataset.MAE}, {&s.R2, dataset.R2}} {
		*score.dst, err = score.of(p, truth)
		if err != nil && !errors.Is(err, rkhs.ErrDomain) { // which is R2 of equal targets
			return nil, err
		}
	}
	mean := mat.NewDense(n, 1, nil)
	mean.Apply(func(int, int, float64) float64 { return mat.Sum(y) / float64(n) }, mean)
	if s.Baseline, err = dataset.RMSE(mean, truth); err != nil {
		return nil, err
	}
	return s, s.intervals(m, rows, truth)
}

// intervals scores those of a regression, if it has any.
func (s *Score) intervals(m rkhs.Model, x, truth mat.Matrix) error {
	by, ok := m.(rkhs.Intervaled)
	if !ok {
		return nil
	}
	lower, upper, err := by.Interval(x, 0.9)
	if errors.Is(err, rkhs.ErrUncalibrated) || errors.Is(err, rkhs.ErrOption) { // of few rows
		return nil
	}
	if err == nil {
		s.Coverage, s.Width, err = dataset.Coverage(lower, upper, truth)
	}
	return err
}

// probabilities scores those of a classifier, if it has any.
func (s *Score) probabilities(m rkhs.Model, x, truth mat.Matrix) error {
	by, ok := m.(rkhs.Probabilistic)
	if !ok || s.Unknown > 0 {
		return nil
	}
	p, err := by.Proba(x)
	if errors.Is(err, rkhs.ErrUncalibrated) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.LogLoss, err = dataset.LogLoss(p, truth, by.Labels()); err != nil {
		return err
	}
	s.CalibrationError, err = dataset.CalibrationError(p, truth, by.Labels(), 15)
	return err
}

func (s *Score) classes(p *mat.Dense, y, truth mat.Matrix, known []int) error {
	right, err := dataset.Accuracy(p, truth)
	if err != nil {
		return err
	}
	s.Errors = 1 - right
	if s.Confusion, err = dataset.Confusion(p, truth); err != nil {
		return err
	}
	count, most := map[float64]int{}, 0
	for i := range s.Rows {
		v := y.At(i, 0)
		count[v]++
		most = max(most, count[v])
		if !slices.Contains(known, int(v)) {
			s.Unknown++
		}
	}
	s.Baseline = 1 - float64(most)/float64(s.Rows)
	return nil
}

var (
	_ encoding.BinaryMarshaler   = (*Model)(nil)
	_ encoding.BinaryUnmarshaler = (*Model)(nil)
)
