package recipe

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Score is the quality of predictions.
type Score struct {
	// Rows is the number of rows with a target.
	Rows int
	// RMSE, MAE and R2 are scores of a regression (dataset.RMSE, dataset.MAE, dataset.R2). R2 is 0
	// for constant targets.
	RMSE, MAE, R2 float64
	// Errors is the error rate of a classifier.
	Errors float64
	// Unknown counts rows of classes that the classifier does not know. Each is an error.
	Unknown int
	// LogLoss and CalibrationError (with 15 bins) score probabilities (dataset.LogLoss,
	// dataset.CalibrationError). They are 0 without probabilities and if Unknown > 0.
	LogLoss, CalibrationError float64
	// Coverage is the fraction of targets inside the intervals of coverage .9, and Width their mean
	// width. They are 0 without intervals.
	Coverage, Width float64
	// Confusion counts the rows by class and prediction; nil for a regression. All unknown classes
	// are one class after the last.
	Confusion *dataset.ConfusionMatrix
	// Baseline is the RMSE of the mean of these targets, or the error rate of their most frequent
	// class.
	Baseline float64
	// Averaged reports averaged predictions, or is nil.
	Averaged *Averaged
	// Counts are the counts of Recipe.Inputs.
	Counts []Count
}

// scoreLevel is the coverage of the intervals in a Score.
const scoreLevel = 0.9

// Score compares predictions with the targets of a table and ignores rows without a target. Errors
// are as for Recipe.Rows, except that unknown classes are allowed.
func (m *Model) Score(t *dataset.Table) (*Score, error) {
	if !m.fitted() {
		return nil, fmt.Errorf("%s: Score of a model that was not fitted: %w", pkg, rkhs.ErrUnfitted)
	}
	rows, err := m.recipe.rows(t, true)
	if err != nil {
		return nil, err
	}
	s, err := scoreOf(m.model, rows.X, rows.Y, func(x mat.Matrix, level float64) (*Predictions, error) {
		return m.predict(x, rows.gaps, level)
	})
	if err == nil {
		s.Counts = rows.Counts
	}
	return s, err
}

// ScoreOf compares the predictions of a model of one output for rows x, which may be rkhs.Weighted,
// with their targets y.
func ScoreOf(m rkhs.Model, x, y mat.Matrix) (*Score, error) {
	if err := given(m); err != nil {
		return nil, err
	}
	return scoreOf(m, x, y, func(x mat.Matrix, level float64) (*Predictions, error) { return PredictionsOf(m, x, level) })
}

func scoreOf(m rkhs.Model, x, y mat.Matrix, predict func(x mat.Matrix, level float64) (*Predictions, error)) (*Score, error) {
	truth := y
	if w, ok := x.(rkhs.Weighted); ok {
		truth, x = rkhs.Weighted{Matrix: y, Weights: w.Weights}, w.Matrix
	}
	p, err := predict(x, scoreLevel)
	if errors.Is(err, rkhs.ErrOption) { // too few rows for intervals of this level
		p, err = predict(x, 0)
	}
	if err != nil {
		return nil, err
	}
	s := &Score{Rows: len(p.Values), Averaged: p.Averaged}
	if c, ok := m.(rkhs.Classifier); ok {
		err = s.classification(p, y, truth, c.Labels())
	} else {
		err = s.regression(p, y, truth)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// regression scores numbers and intervals.
func (s *Score) regression(p *Predictions, y, truth mat.Matrix) error {
	predicted := mat.NewDense(s.Rows, 1, p.Values)
	var err error
	if s.RMSE, err = dataset.RMSE(predicted, truth); err != nil {
		return err
	}
	if s.MAE, err = dataset.MAE(predicted, truth); err != nil {
		return err
	}
	if s.R2, err = dataset.R2(predicted, truth); err != nil && !errors.Is(err, rkhs.ErrDomain) { // constant targets
		return err
	}
	mean := mat.NewDense(s.Rows, 1, nil)
	mean.Apply(func(int, int, float64) float64 { return mat.Sum(y) / float64(s.Rows) }, mean)
	if s.Baseline, err = dataset.RMSE(mean, truth); err != nil || p.Lower == nil {
		return err
	}
	s.Coverage, s.Width, err = dataset.Coverage(mat.NewDense(s.Rows, 1, p.Lower), mat.NewDense(s.Rows, 1, p.Upper), truth)
	return err
}

// classification scores labels and probabilities.
func (s *Score) classification(p *Predictions, y, truth mat.Matrix, labels []int) error {
	predicted := mat.NewDense(s.Rows, 1, p.Values)
	accuracy, err := dataset.Accuracy(predicted, truth)
	if err != nil {
		return err
	}
	s.Errors = 1 - accuracy
	if s.Confusion, err = dataset.Confusion(predicted, truth); err != nil {
		return err
	}
	count, most := map[float64]int{}, 0
	for i := range s.Rows {
		v := y.At(i, 0)
		count[v]++
		most = max(most, count[v])
		if !slices.Contains(labels, int(v)) {
			s.Unknown++
		}
	}
	s.Baseline = 1 - float64(most)/float64(s.Rows)
	if p.Proba == nil || s.Unknown > 0 {
		return nil
	}
	if s.LogLoss, err = dataset.LogLoss(p.Proba, truth, labels); err != nil {
		return err
	}
	s.CalibrationError, err = dataset.CalibrationError(p.Proba, truth, labels, 15)
	return err
}
