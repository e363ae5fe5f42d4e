package model

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/loss"
)

// Labels are the labels of classes and the decision rule of their scores.
type Labels struct {
	Names []int
	// Decide returns the class of the scores of a row. Default: input.Class.
	Decide func(scores []float64) int
}

// class returns the class of the scores of a row.
func (l Labels) class(scores []float64) int {
	if l.Decide == nil {
		return input.Class(scores)
	}
	return l.Decide(scores)
}

// Predict returns the labels of the scores f(x), n×1.
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
	labels := compute.NewMatrix(scores.Rows, 1)
	for i := range labels.Data {
		labels.Data[i] = float64(l.Names[l.class(compute.Row(scores, i))])
	}
	return labels, nil
}

// Proba returns the probabilities of the labels, n×K, at the scores f(x). They come from c if it is fitted,
// and otherwise from a loss that defines them. This is loss.MultiProbable, or loss.Probable for two
// classes. of may be nil. Without either the error wraps rkhs.ErrNoCalibration. The label of a row is
// always the most probable one, see formula.Probabilities.
func (l Labels) Proba(pkg string, c *calibrate.Classes, of loss.Loss, f Function, x mat.Matrix) (*mat.Dense, error) {
	_, outputs := f.Dims()
	to := l.Of(of, outputs)
	if c.Fitted() {
		to = c.To
	}
	if outputs > 0 && to == nil {
		return nil, fmt.Errorf("%s: there are no probabilities: %w", pkg, rkhs.ErrNoCalibration)
	}
	scores, err := Eval(pkg, f, x)
	if err != nil {
		return nil, err
	}
	p := mat.NewDense(scores.Rows, len(l.Names), nil)
	for i := range scores.Rows {
		class := l.class(compute.Row(scores, i))
		to(p.RawRowView(i), compute.Row(scores, i))
		formula.Agree(p.RawRowView(i), class)
	}
	return p, nil
}

// Of returns the function from scores to probabilities of a loss, or nil.
func (l Labels) Of(of loss.Loss, outputs int) func(p, scores []float64) {
	if many, ok := of.(loss.MultiProbable); ok {
		return many.Probabilities
	}
	if two, ok := of.(loss.Probable); ok && outputs == 1 && len(l.Names) == 2 {
		return func(p, scores []float64) { p[0], p[1] = two.Probability(-scores[0]), two.Probability(scores[0]) }
	}
	return nil
}
