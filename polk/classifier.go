package polk

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// Classifier predicts labels: with a loss of labels ±1 by the sign of one
// function, else by the highest of one function a class. It is immutable and
// safe for concurrent use.
type Classifier struct {
	model  *Model
	labels []int
}

// Model returns the functions.
func (c *Classifier) Model() *Model { return c.model }

// Labels returns the labels in the order of the classes: ascending from
// FitClassifier, as they were seen from a ClassLearner.
func (c *Classifier) Labels() []int { return slices.Clone(c.labels) }

// Scores returns f(x): n×K, a column a label in the order of Labels; with a loss
// of labels ±1 n×1, positive for the second label.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.model.Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := c.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	scores, err := c.Scores(x)
	if err != nil {
		return err
	}
	n, _ := scores.Dims()
	out := compute.NewMatrix(n, 1)
	for i := range out.Data {
		out.Data[i] = float64(c.label(scores.RawRowView(i)))
	}
	return door.Store("polk", dst, out)
}

// label returns the label for scores; the only one while a second was not seen.
func (c *Classifier) label(scores []float64) int {
	return c.labels[min(decide(c.model.report.Loss, scores), len(c.labels)-1)]
}

// Proba returns the probability of each label, n×K in the order of Labels, of
// models learned with loss.Softmax or loss.Logistic; for others the error wraps
// rkhs.ErrOption.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	l := c.model.report.Loss
	softmax, multi := l.(loss.Softmax)
	logistic, two := l.(loss.Logistic)
	if !multi && !two {
		return nil, fmt.Errorf("polk: Loss = %v gives no probabilities: %w", l, rkhs.ErrOption)
	}
	f, err := c.Scores(x)
	if err != nil || multi {
		if err == nil {
			for i := range f.RawMatrix().Rows {
				softmax.Probabilities(f.RawRowView(i), f.RawRowView(i))
			}
		}
		return f, err
	}
	n, _ := f.Dims()
	p := mat.NewDense(n, 2, nil)
	for i := range n {
		p.Set(i, 0, logistic.Probability(-f.At(i, 0)))
		p.Set(i, 1, logistic.Probability(f.At(i, 0)))
	}
	return p, nil
}
