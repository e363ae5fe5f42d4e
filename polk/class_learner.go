package polk

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// ClassLearner fits a classifier to a stream. NewClassLearner creates one; methods of a nil or
// zero ClassLearner return errors that wrap rkhs.ErrUnfitted. It is not safe for concurrent use.
type ClassLearner struct {
	stream    *stream
	labels    []int // in the order of the classes
	announced bool  // labels are complete
	class     []int // scratch
}

// NewClassLearner returns an empty learner of the given labels, two or more. With nil labels,
// every new label becomes a class. Errors wrap rkhs.ErrOption, or rkhs.ErrLabels for a single
// label, a duplicate, or more than two labels with a binary loss.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	s, err := newStream(classification(opts))
	if err == nil && labels != nil {
		if labels, err = input.Announced(pkg, labels); err == nil {
			err = checkLabels(labels, s.set.Loss)
		}
	}
	if err != nil {
		return nil, err
	}
	return &ClassLearner{stream: s, labels: labels, announced: labels != nil}, nil
}

// checkLabels returns an error for more than two labels with a binary loss.
func checkLabels(labels []int, l loss.Loss) error {
	if loss.Margin(l) && len(labels) > 2 {
		return fmt.Errorf("polk: labels %v for the binary loss %v: %w", labels, l, rkhs.ErrLabels)
	}
	return nil
}

// outputsFor returns the number of functions for a number of classes.
func outputsFor(classes int, l loss.Loss) int {
	if loss.Margin(l) {
		return 1
	}
	return classes
}

// Update performs one step on a mini-batch: x is B×d, labels is B×1 and holds integers. It
// returns the errors of Learner.Update, and rkhs.ErrLabels for a label that is not an integer
// or not in the given labels, and for a third label of a binary loss.
func (l *ClassLearner) Update(x, labels mat.Matrix) error {
	if err := l.state().created("Update"); err != nil {
		return err
	}
	w, err := input.WeighedLabels(pkg, input.Points, x, labels)
	if err != nil {
		return err
	}
	return l.update(w)
}

// update performs a step on validated rows. Columns and labels are not validated yet.
func (l *ClassLearner) update(w input.Weighed) error {
	if err := l.stream.checkShape(w.X, w.Y, 1); err != nil {
		return err
	}
	known, b := len(l.labels), batch{x: w.X, weights: w.Weights}
	err := l.index(w.Y)
	if err == nil {
		err = checkLabels(l.labels, l.stream.set.Loss)
	}
	if err == nil {
		b.class, b.outputs = l.class, outputsFor(len(l.labels), l.stream.set.Loss)
		err = l.stream.update(b)
	}
	if err != nil {
		l.labels = l.labels[:known]
	}
	return err
}

// index stores the class of each label in l.class. New labels create new classes.
func (l *ClassLearner) index(labels compute.Matrix) error {
	l.class = compute.Resize(l.class, labels.Rows)
	for i := range l.class {
		v := compute.Row(labels, i)[0]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return fmt.Errorf("polk: label %v in row %d is not a whole number: %w", v, i, rkhs.ErrLabels)
		}
		at := slices.Index(l.labels, int(v))
		if at < 0 && l.announced {
			return fmt.Errorf("polk: label %v in row %d is not one of %v: %w", v, i, l.labels, rkhs.ErrLabels)
		}
		if at < 0 {
			at = len(l.labels)
			l.labels = append(l.labels, int(v))
		}
		l.class[i] = at
	}
	return nil
}

// Learn updates the learner with all rows of a stream; see Learner.Learn.
func (l *ClassLearner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	return l.state().learn(ctx, stream, l.update)
}

// Labels returns the labels in the order of the classes: ascending if they were given to
// NewClassLearner, else in order of appearance.
func (l *ClassLearner) Labels() []int { return slices.Clone(model.OrZero(l).labels) }

// Last describes the last successful update; see Learner.Last.
func (l *ClassLearner) Last() Step { return l.state().last }

// Rows returns the number of rows so far, including waiting rows.
func (l *ClassLearner) Rows() int { return l.state().rows() }

// Report summarises the steps so far.
func (l *ClassLearner) Report() Report { return l.state().report() }

// Model returns an immutable snapshot; see Learner.Model.
func (l *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	m, sample, err := l.state().model(ctx)
	return newClassifier(m, l.Labels(), sample), err
}

func (l *ClassLearner) state() *stream { return model.OrZero(model.OrZero(l).stream) }

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "polk class learner", Decode: decodeClassLearner,
	Encode: (*ClassLearner).encode, Fitted: func(l *ClassLearner) bool { return l.state().set != nil }})

// MarshalBinary encodes the learner; see Learner.MarshalBinary.
func (l *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(l) }

// UnmarshalBinary replaces l by an encoded learner, which resumes bit for bit. On an error,
// which wraps rkhs.ErrFormat, l is unchanged.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	e.Bool(l.announced)
	e.Ints(l.labels)
	return l.stream.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	l := ClassLearner{announced: d.Bool(), labels: decodeLabels(d)}
	l.stream = decodeStream(d, classification)
	if d.Err() != nil {
		return l
	}
	k, binary := len(l.labels), loss.Margin(l.stream.set.Loss)
	if !l.announced && (k == 0) != (l.stream.inputs == 0) || l.announced && k < 2 || binary && k > 2 {
		d.Fail("%d labels for %d inputs", k, l.stream.inputs)
	}
	outputs := outputsFor(k, l.stream.set.Loss)
	l.stream.checkOutputs(d, outputs, func(b batch) bool {
		for _, class := range b.class {
			if class < 0 || class >= k || !binary && class >= b.outputs {
				return false
			}
		}
		return b.y.Rows == 0 && b.y.Cols == 0 && len(b.class) == b.x.Rows && b.outputs >= 1 && b.outputs <= outputs
	})
	return l
}
