package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// ClassLearner learns to classify from a stream. Labels that it has not seen
// before become new classes, unless the loss is one of two classes. The zero
// value has the default options. It must not be used by several goroutines at a
// time.
type ClassLearner struct {
	core   *core
	labels []int // in the order in which they were seen
	class  []int
}

// NewClassLearner returns a learner that has seen nothing. The error wraps
// rkhs.ErrOption.
func NewClassLearner(opts *Options) (*ClassLearner, error) {
	s, err := classification(opts)
	if err == nil {
		err = s.resolve()
	}
	if err != nil {
		return nil, err
	}
	return &ClassLearner{core: &core{set: s}}, nil
}

// classification checks options for labels.
func classification(opts *Options) (*settings, error) {
	s, err := opts.settings(loss.MulticlassHinge{})
	if err != nil {
		return nil, err
	}
	if _, ok := s.Loss.(loss.Multiclass); !ok && !loss.Margin(s.Loss) {
		return nil, fmt.Errorf("polk: Loss = %v is not a loss of a label: %w", s.Loss, rkhs.ErrOption)
	}
	return s, nil
}

// Update takes one step on a mini-batch: x is B×d, labels is B×1 and holds whole
// numbers. On an error nothing has changed; beyond those of Learner.Update it is
// rkhs.ErrLabels, for a number that is not whole, and for a third label where the
// loss takes two.
func (l *ClassLearner) Update(x, labels mat.Matrix) (Step, error) {
	if err := l.ready(); err != nil {
		return Step{}, err
	}
	xs, ys, err := door.Pair("polk", x, labels)
	if err != nil {
		return Step{}, err
	}
	return l.update(xs, ys)
}

// ready gives the zero value its options.
func (l *ClassLearner) ready() error {
	if l.core != nil {
		return nil
	}
	fresh, err := NewClassLearner(nil)
	if err == nil {
		*l = *fresh
	}
	return err
}

// update takes a step on rows that have passed the door but for their columns
// and labels.
func (l *ClassLearner) update(x, labels compute.Matrix) (Step, error) {
	if err := l.core.checkShape(x, labels, 1); err != nil {
		return Step{}, err
	}
	known, margin := len(l.labels), loss.Margin(l.core.set.Loss)
	s, err := Step{}, l.index(labels)
	if err == nil && margin && len(l.labels) > 2 {
		err = tooManyLabels(l.labels, l.core.set.Loss)
	}
	if err == nil {
		s, err = l.core.update(batch{x: x, class: l.class, outputs: outputsFor(len(l.labels), margin)})
	}
	if err != nil {
		l.labels = l.labels[:known]
	}
	return s, err
}

// index sets class to the class of each label, with new classes for new labels.
func (l *ClassLearner) index(labels compute.Matrix) error {
	l.class = resize(l.class, labels.Rows)
	for i := range l.class {
		v := row(labels, i)[0]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return fmt.Errorf("polk: label %v in row %d is not a whole number: %w", v, i, rkhs.ErrLabels)
		}
		at := slices.Index(l.labels, int(v))
		if at < 0 {
			at = len(l.labels)
			l.labels = append(l.labels, int(v))
		}
		l.class[i] = at
	}
	return nil
}

// outputsFor is the number of functions for so many classes.
func outputsFor(classes int, margin bool) int {
	if margin {
		return 1
	}
	return classes
}

// Labels returns the labels seen so far, in the order of the classes.
func (l *ClassLearner) Labels() []int { return slices.Clone(l.labels) }

// Totals sums up the steps so far.
func (l *ClassLearner) Totals() Totals {
	if l.core == nil {
		return Totals{}
	}
	return l.core.totals
}

// Model returns the classifier so far, as Learner.Model does.
func (l *ClassLearner) Model() (*Classifier, error) {
	if l.core == nil {
		return nil, fmt.Errorf("polk: nothing was learned yet: %w", rkhs.ErrEmpty)
	}
	c, err := l.core.snapshot()
	if err != nil {
		return nil, err
	}
	return &Classifier{model: c.model(), labels: slices.Clone(l.labels)}, nil
}
