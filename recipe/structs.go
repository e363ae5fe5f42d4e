package recipe

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// StructModel predicts structs. It is immutable and safe for concurrent use.
type StructModel[T any] struct{ model *Model }

// FitStructs fits a learner to the structs of a program. dataset.FromStructs explains the tags of
// the fields. The target is the field with the tag target, or else the last field. fit is the
// function of a learner, such as ridge.Fit or doublysgd.FitClassifier, with its options. Errors are
// as for dataset.FromStructs and Fit.
func FitStructs[T, O any, M rkhs.Model](ctx context.Context, rows []T, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), fitOptions *O) (*StructModel[T], error) {
	t, err := dataset.FromStructs(rows)
	if err != nil {
		return nil, err
	}
	m, err := Fit(ctx, t, Options{}, fit, fitOptions)
	if m == nil {
		return nil, err
	}
	return &StructModel[T]{m}, err
}

// ForStructs returns a model of tables, for example from a file, as a model of structs. A nil model
// is rkhs.ErrUnfitted.
func ForStructs[T any](m *Model) (*StructModel[T], error) {
	if !m.fitted() {
		return nil, fmt.Errorf("%s: ForStructs of a model that was not fitted: %w", pkg, rkhs.ErrUnfitted)
	}
	return &StructModel[T]{m}, nil
}

// Model returns the model of tables. Save it with rkhs.Save.
func (m *StructModel[T]) Model() *Model {
	if m == nil {
		return nil
	}
	return m.model
}

// Prediction is the prediction of a row.
type Prediction struct {
	// Value is the predicted number, or the label of the class.
	Value float64
	// Class is the text of the predicted class; empty for a regression.
	Class string
	// Lower and Upper are the bounds of the prediction interval of coverage Coverage. All are 0 if
	// the model has no intervals.
	Lower, Upper, Coverage float64
	// Proba holds the probability of each class, or is nil.
	Proba map[string]float64
}

// coverage is the coverage of the intervals of StructModel.Predict.
const coverage = 0.9

// Predict predicts a struct and ignores its target. If the model has intervals, it adds an interval
// of coverage .9. Errors are as for Model.Predict.
func (m *StructModel[T]) Predict(row T) (Prediction, error) {
	p, err := m.PredictAll([]T{row})
	if err != nil {
		return Prediction{}, err
	}
	return p[0], nil
}

// PredictAll predicts structs, like Predict.
func (m *StructModel[T]) PredictAll(rows []T) (list []Prediction, err error) {
	for p, err := range m.PredictSeq(slices.Values(rows), max(1, len(rows))) {
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// PredictSeq predicts the structs of a sequence, like Predict, in batches of the given number of
// rows. An error ends the iteration. Memory is proportional to one batch.
func (m *StructModel[T]) PredictSeq(rows iter.Seq[T], size int) iter.Seq2[Prediction, error] {
	return func(yield func(Prediction, error) bool) {
		for t, err := range dataset.StructBatches(rows, size) {
			var p *Predictions
			if err == nil {
				p, err = m.Model().PredictIntervals(t, coverage)
			}
			if err != nil {
				yield(Prediction{}, err)
				return
			}
			for i := range p.Values {
				if !yield(p.row(i), nil) {
					return
				}
			}
		}
	}
}

// row returns the prediction of a row.
func (p *Predictions) row(i int) Prediction {
	r := Prediction{Value: p.Values[i]}
	if p.Lower != nil {
		r.Lower, r.Upper, r.Coverage = p.Lower[i], p.Upper[i], coverage
	}
	if p.Classes != nil {
		r.Class = p.Classes[i]
	}
	if p.Proba != nil {
		r.Proba = make(map[string]float64, len(p.Names))
		for j, name := range p.Names {
			r.Proba[name] = p.Proba.At(i, j)
		}
	}
	return r
}
