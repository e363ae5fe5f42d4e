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
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// ClassLearner learns to classify from a stream. NewClassLearner makes one; methods of
// a nil or zero ClassLearner return errors that wrap rkhs.ErrUnfitted. It must not be
// used by several goroutines at a time.
type ClassLearner struct {
	stream    *stream
	labels    []int // in the order of the classes
	announced bool  // whether labels are all that there will be
	class     []int
}

// NewClassLearner returns a learner of the given labels, two or more, that has seen
// nothing. With nil labels those that it has not seen before become new classes. The
// error wraps rkhs.ErrOption, or rkhs.ErrLabels for a single label, for one that
// comes twice, and for more than two where the loss takes two.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	s, err := newStream(classification(opts))
	if err == nil && labels != nil {
		if labels, err = door.Announced(pkg, labels); err == nil {
			err = checkLabels(labels, s.set.Loss)
		}
	}
	if err != nil {
		return nil, err
	}
	return &ClassLearner{stream: s, labels: labels, announced: labels != nil}, nil
}

// checkLabels refuses more labels than a loss takes.
func checkLabels(labels []int, l loss.Loss) error {
	if loss.Margin(l) && len(labels) > 2 {
		return fmt.Errorf("polk: labels %v for %v, which takes two: %w", labels, l, rkhs.ErrLabels)
	}
	return nil
}

// outputsFor is the number of functions for so many classes.
func outputsFor(classes int, l loss.Loss) int {
	if loss.Margin(l) {
		return 1
	}
	return classes
}

// Update takes one step on a mini-batch: x is B×d, labels is B×1 and holds whole
// numbers. On an error nothing has changed; beyond those of Learner.Update it is
// rkhs.ErrLabels, for a number that is not whole, for one that is none of the labels
// that were announced, and for a third label where the loss takes two.
func (l *ClassLearner) Update(x, labels mat.Matrix) error {
	if err := l.fitted("Update"); err != nil {
		return err
	}
	w, err := door.WeighedLabels(pkg, door.Points, x, labels)
	if err != nil {
		return err
	}
	return l.update(w)
}

// update takes a step on rows that have passed the door but for their columns
// and labels.
func (l *ClassLearner) update(w door.Weighed) error {
	if err := l.stream.checkShape(w.X, w.Y, 1); err != nil {
		return err
	}
	known := len(l.labels)
	err := l.index(w.Y)
	if err == nil {
		err = checkLabels(l.labels, l.stream.set.Loss)
	}
	if err == nil {
		err = l.stream.update(batch{x: w.X, class: l.class, weights: w.Weights, outputs: outputsFor(len(l.labels), l.stream.set.Loss)})
	}
	if err != nil {
		l.labels = l.labels[:known]
	}
	return err
}

// index sets class to the class of each label, with new classes for new labels.
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

// Learn takes in all rows of a stream, as Learner.Learn does.
func (l *ClassLearner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	if err := l.fitted("Learn"); err != nil {
		return err
	}
	return l.stream.learn(ctx, stream, l.update)
}

// Labels returns the labels in the order of the classes: those announced in ascending
// order, or those seen so far in that in which they came.
func (l *ClassLearner) Labels() []int { return slices.Clone(model.OrZero(l).labels) }

// Last says what the last update did, as Learner.Last does.
func (l *ClassLearner) Last() Step { return l.state().last }

// Rows returns the number of rows taken in, those that wait among them.
func (l *ClassLearner) Rows() int { return l.state().rows() }

// Report sums up the steps so far and says how they are taken.
func (l *ClassLearner) Report() Report { return l.state().report() }

// Model returns the classifier so far, as Learner.Model does.
func (l *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	if err := l.fitted("Model"); err != nil {
		return nil, err
	}
	m, sample, err := l.stream.model(ctx)
	return newClassifier(m, slices.Clone(l.labels), sample), err
}

// state returns what the learner has in common with those of other tasks.
func (l *ClassLearner) state() *stream { return model.OrZero(model.OrZero(l).stream) }

// fitted refuses a method of a nil or zero learner.
func (l *ClassLearner) fitted(method string) error {
	return door.Fitted(pkg, method, l.state().set != nil)
}

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "polk class learner", Decode: decodeClassLearner,
	Encode: (*ClassLearner).encode, Fitted: func(l *ClassLearner) bool { return l.state().set != nil }})

// MarshalBinary returns the learner as a file, as Learner.MarshalBinary does.
func (l *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
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
	outputs := outputsFor(len(l.labels), l.stream.set.Loss)
	if !l.announced && (len(l.labels) == 0) != (l.stream.inputs == 0) || l.announced && len(l.labels) < 2 || checkLabels(l.labels, l.stream.set.Loss) != nil {
		d.Fail("%d labels for %d inputs", len(l.labels), l.stream.inputs)
	}
	l.stream.checkQueue(d, func(b batch) bool {
		for _, k := range b.class {
			if k < 0 || k >= len(l.labels) || !loss.Margin(l.stream.set.Loss) && k >= b.outputs {
				return false
			}
		}
		return b.y.Rows == 0 && b.y.Cols == 0 && len(b.class) == b.x.Rows && b.outputs >= 1 && b.outputs <= outputs
	})
	if own := l.stream.descent; own != nil && own.f.outputs != outputs {
		d.Fail("%d labels for a function of %d outputs", len(l.labels), own.f.outputs)
	}
	return l
}
