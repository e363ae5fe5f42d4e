package slkl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Classifier predicts labels by the sign of one regression on targets ±1 for
// two classes, and by the largest of one regression a class, against the rest,
// for more. It is immutable and safe for concurrent use.
type Classifier struct {
	model  *Model
	labels []int // ascending
}

// FitClassifier learns from rows x (n×d) and their labels (n×1), any whole
// numbers. Beyond the errors of Fit, rkhs.ErrLabels reports a label that is not
// a whole number, or a single class.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	y, err := door.Rows("slkl", "labels", labels)
	if err != nil {
		return nil, err
	}
	classes, index, err := door.Labels("slkl", y)
	if err != nil {
		return nil, err
	}
	m, err := Fit(ctx, x, targets(index, len(classes)), opts)
	return newClassifier(m, classes), err
}

func newClassifier(m *Model, classes []int) *Classifier {
	if m == nil {
		return nil
	}
	return &Classifier{model: m, labels: classes}
}

// outputsFor is the number of regressions for so many classes.
func outputsFor(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// targets turns class indices into targets: one column of ±1 for two classes,
// one column of ±1 a class for more.
func targets(index []int, classes int) *mat.Dense {
	y := door.Targets(index, outputsFor(classes))
	return mat.NewDense(y.Rows, y.Cols, y.Data)
}

// Model returns the regressions on the targets ±1.
func (c *Classifier) Model() *Model { return c.model }

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.labels) }

// Scores returns f(x): n×1, positive for the larger label, for two classes, and
// n×K, a column a label in ascending order, for more.
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
		out.Data[i] = float64(c.labels[door.Class(scores.RawRowView(i))])
	}
	return door.Store("slkl", dst, out)
}

// ClassAccumulator is an Accumulator for labels.
type ClassAccumulator struct {
	acc    *Accumulator
	labels []int
}

// NewClassAccumulator returns an empty accumulator for the given labels, two or
// more and all different, else the error wraps rkhs.ErrLabels.
func NewClassAccumulator(labels []int, opts *Options) (*ClassAccumulator, error) {
	sorted, err := door.Announced("slkl", labels)
	if err != nil {
		return nil, err
	}
	acc, err := NewAccumulator(outputsFor(len(sorted)), opts)
	if err != nil {
		return nil, err
	}
	return &ClassAccumulator{acc: acc, labels: sorted}, nil
}

// Rows returns the number of rows taken in.
func (a *ClassAccumulator) Rows() int { return a.acc.Rows() }

// Add takes in a batch: x is n×d, labels n×1. A label that was not announced is
// rkhs.ErrLabels. On an error nothing is taken in.
func (a *ClassAccumulator) Add(x, labels mat.Matrix) error {
	y, err := door.View("slkl", "labels", labels)
	if err != nil {
		return err
	}
	index, err := door.Known("slkl", y, a.labels)
	if err != nil {
		return err
	}
	return a.acc.Add(x, targets(index, len(a.labels)))
}

// Merge takes in all rows of b, which must have the same labels (else
// rkhs.ErrLabels) and what Accumulator.Merge asks for.
func (a *ClassAccumulator) Merge(b *ClassAccumulator) error {
	if !slices.Equal(a.labels, b.labels) {
		return fmt.Errorf("slkl: labels %v and %v cannot merge: %w", a.labels, b.labels, rkhs.ErrLabels)
	}
	return a.acc.Merge(b.acc)
}

// Solve fits a classifier to the rows taken in so far, as Accumulator.Solve
// does.
func (a *ClassAccumulator) Solve(ctx context.Context) (*Classifier, error) {
	m, err := a.acc.Solve(ctx)
	return newClassifier(m, a.labels), err
}
