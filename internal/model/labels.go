package model

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// Labels are the labels of classes and the way in which scores decide between them.
type Labels struct {
	Names []int
	// Decide returns the class of the scores of a row. Default: door.Class.
	Decide func(scores []float64) int
}

// Predict returns the labels that the scores f(x) decide on, n×1.
func (l Labels) Predict(pkg string, f Function, x mat.Matrix) (*mat.Dense, error) {
	return dense(l.eval(pkg, f, x))
}

// PredictTo is Predict into dst, which must be n×1 or empty.
func (l Labels) PredictTo(pkg string, f Function, dst *mat.Dense, x mat.Matrix) error {
	return store(pkg, dst)(l.eval(pkg, f, x))
}

func (l Labels) eval(pkg string, f Function, x mat.Matrix) (compute.Matrix, error) {
	scores, err := Eval(pkg, f, x)
	if err != nil {
		return compute.Matrix{}, err
	}
	decide := l.Decide
	if decide == nil {
		decide = door.Class
	}
	labels := compute.NewMatrix(scores.Rows, 1)
	for i := range labels.Data {
		labels.Data[i] = float64(l.Names[decide(compute.Row(scores, i))])
	}
	return labels, nil
}

// Proba returns the probabilities of the labels, n×K, that a loss gives to the scores
// f(x): those of a loss.MultiProbable, and of a loss.Probable of two classes. The
// error of others wraps rkhs.ErrOption.
func (l Labels) Proba(pkg string, of loss.Loss, f Function, x mat.Matrix) (*mat.Dense, error) {
	many, multi := of.(loss.MultiProbable)
	two, scalar := of.(loss.Probable)
	if _, outputs := f.Dims(); outputs > 0 && !multi && !(scalar && outputs == 1) {
		return nil, fmt.Errorf("%s: Loss = %v of %d classes defines no probabilities: %w", pkg, of, len(l.Names), rkhs.ErrOption)
	}
	scores, err := Eval(pkg, f, x)
	if err != nil {
		return nil, err
	}
	if multi {
		for i := range scores.Rows {
			many.Probabilities(compute.Row(scores, i), compute.Row(scores, i))
		}
		return dense(scores, nil)
	}
	p := mat.NewDense(scores.Rows, 2, nil)
	for i, v := range scores.Data {
		p.Set(i, 0, two.Probability(-v))
		p.Set(i, 1, two.Probability(v))
	}
	return p, nil
}
