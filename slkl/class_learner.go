package slkl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// ClassLearner is a Learner for labels.
type ClassLearner struct {
	learner *Learner // with labels
}

// NewClassLearner returns a learner without rows for two or more distinct labels. Errors wrap
// rkhs.ErrLabels, or the sentinels of NewLearner.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	sorted, err := input.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	l, err := NewLearner(opts)
	if err != nil {
		return nil, err
	}
	l.labels = sorted
	return &ClassLearner{l}, nil
}

// regressions returns the learner of the targets ±1, nil for a zero ClassLearner.
func (l *ClassLearner) regressions() *Learner { return model.OrZero(l).learner }

// Rows returns the number of rows so far.
func (l *ClassLearner) Rows() int { return l.regressions().Rows() }

// Update adds the rows x (n×d) and their labels (n×1). An unknown label is rkhs.ErrLabels. On an error
// the learner is unchanged.
func (l *ClassLearner) Update(x, labels mat.Matrix) error { return l.regressions().Update(x, labels) }

// UpdateNumbered is Update for rows with numbers; see Learner.UpdateNumbered.
func (l *ClassLearner) UpdateNumbered(numbers []uint64, x, labels mat.Matrix) error {
	return l.regressions().UpdateNumbered(numbers, x, labels)
}

// Merge adds all rows of other. Different labels are rkhs.ErrLabels; see Learner.Merge.
func (l *ClassLearner) Merge(other *ClassLearner) error {
	a, b := l.regressions(), other.regressions()
	if a != nil && b != nil && !slices.Equal(a.labels, b.labels) {
		return fmt.Errorf("slkl: labels %v and %v cannot merge: %w", a.labels, b.labels, rkhs.ErrLabels)
	}
	return a.Merge(b)
}

// Model fits a classifier to the rows so far; see Learner.Model.
func (l *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	m, sample, err := l.regressions().calibrated(ctx)
	return newClassifier(m, model.OrZero(l.regressions()).labels, sample), err
}

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "slkl class learner",
	Decode: decodeClassLearner, Encode: (*ClassLearner).encode,
	Fitted: func(l *ClassLearner) bool { return model.OrZero(l.regressions()).columns != nil }})

// MarshalBinary returns the learner as a file; see Learner.MarshalBinary.
func (l *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which continues bit for bit. On an error, which
// wraps rkhs.ErrFormat, l is unchanged.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	e.Ints(l.learner.labels)
	return l.learner.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	labels := d.Labels()
	l := decodeLearner(d)
	l.labels = labels
	if d.Err() == nil && l.rows > 0 {
		checkOutputs(d, len(labels), l.outputs())
	}
	for _, k := range l.kept.rows.classes {
		if k < 0 || k >= len(labels) {
			d.Fail("class %d of %d", k, len(labels))
		}
	}
	return ClassLearner{&l}
}
