package slkl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
)

// ClassLearner is a Learner for labels.
type ClassLearner struct {
	learner *Learner
	labels  []int
}

// NewClassLearner returns a learner of the given labels that has seen nothing. They
// are two or more and all different, else the error wraps rkhs.ErrLabels; the other
// errors are those of NewLearner.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	sorted, err := door.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	l, err := NewLearner(opts)
	if err != nil {
		return nil, err
	}
	return &ClassLearner{learner: l, labels: sorted}, nil
}

// regressions returns the learner of the targets ±1; nil of a zero ClassLearner.
func (l *ClassLearner) regressions() *Learner { return model.OrZero(l).learner }

// Rows returns the number of rows taken in.
func (l *ClassLearner) Rows() int { return l.regressions().Rows() }

// Update takes in a batch: x is n×d, labels n×1. A label that was not announced is
// rkhs.ErrLabels. On an error nothing is taken in.
func (l *ClassLearner) Update(x, labels mat.Matrix) error {
	if err := l.regressions().made("Update"); err != nil {
		return err
	}
	k, _, err := l.task(x, labels)
	if err != nil {
		return err
	}
	return l.learner.update(k)
}

// UpdateNumbered is Update for rows with numbers, as Learner.UpdateNumbered is.
func (l *ClassLearner) UpdateNumbered(numbers []uint64, x, labels mat.Matrix) error {
	if err := l.regressions().made("UpdateNumbered"); err != nil {
		return err
	}
	k, w, err := l.task(x, labels)
	if err != nil {
		return err
	}
	if k.numbers, err = numbersOf(numbers, x, w); err != nil {
		return err
	}
	return l.learner.update(k)
}

// task lets in rows and their labels.
func (l *ClassLearner) task(x, labels mat.Matrix) (k task, w door.Weighed, err error) {
	if w, err = door.WeighedLabels(pkg, door.Points, x, labels); err != nil {
		return k, w, err
	}
	index, err := door.Known(pkg, w.Y, l.labels)
	if err != nil {
		return k, w, err
	}
	return task{x: w.X, y: targets(index, len(l.labels)), weights: w.Weights, classes: index}, w, nil
}

// Merge takes in all rows of other, which must have the same labels (else
// rkhs.ErrLabels) and what Learner.Merge asks for.
func (l *ClassLearner) Merge(other *ClassLearner) error {
	if l.regressions() != nil && other.regressions() != nil && !slices.Equal(l.labels, other.labels) {
		return fmt.Errorf("slkl: labels %v and %v cannot merge: %w", l.labels, other.labels, rkhs.ErrLabels)
	}
	return l.regressions().Merge(other.regressions())
}

// Model fits a classifier to the rows taken in so far, as Learner.Model does.
func (l *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	m, sample, err := l.regressions().calibrated(ctx)
	return newClassifier(m, model.OrZero(l).labels, sample), err
}

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "slkl class learner", Decode: decodeClassLearner,
	Encode: (*ClassLearner).encode, Fitted: func(l *ClassLearner) bool { return model.OrZero(l.regressions()).columns != nil }})

// MarshalBinary returns the learner as a file, as Learner's does.
func (l *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	e.Ints(l.labels)
	return l.learner.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	labels := d.Labels()
	l := decodeLearner(d)
	if d.Err() == nil && l.rows > 0 {
		checkOutputs(d, len(labels), l.outputs())
	}
	for _, k := range l.kept.rows.classes {
		if k < 0 || k >= len(labels) {
			d.Fail("class %d of %d", k, len(labels))
		}
	}
	return ClassLearner{learner: &l, labels: labels}
}
