package polk

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// Learner learns a regression from a stream. The zero value has the default
// options. It must not be used by several goroutines at a time.
type Learner struct {
	core    *core
	outputs int
}

// NewLearner returns a learner that has seen nothing. The error wraps
// rkhs.ErrOption.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := regression(opts)
	if err == nil {
		err = s.resolve()
	}
	if err != nil {
		return nil, err
	}
	return &Learner{core: &core{set: s}}, nil
}

// regression checks options for real targets.
func regression(opts *Options) (*settings, error) {
	s, err := opts.settings(loss.Squared{})
	if err != nil {
		return nil, err
	}
	if _, ok := s.Loss.(loss.Scalar); !ok || loss.Margin(s.Loss) {
		return nil, fmt.Errorf("polk: Loss = %v is not a loss of a real target: %w", s.Loss, rkhs.ErrOption)
	}
	return s, nil
}

// Update takes one step on a mini-batch: x is B×d, y is B×q. On an error nothing
// has changed: rkhs.ErrShape, ErrEmpty, ErrNotFinite, ErrDomain, ErrMemory, and
// rkhs.ErrDiverged if the step size is too large for the losses.
//
// O(B·M·d) for the kernel values, and for q rows with a gradient O(q·M² + q²·M +
// q³); O(M²) for each point of the dictionary that is removed. One step on
// thousands of rows is slow and learns no more than one on tens: cut them, as
// Learn does.
func (l *Learner) Update(x, y mat.Matrix) (Step, error) {
	if err := l.ready(); err != nil {
		return Step{}, err
	}
	xs, ys, err := door.Pair("polk", x, y)
	if err != nil {
		return Step{}, err
	}
	return l.update(xs, ys)
}

// ready gives the zero value its options.
func (l *Learner) ready() error {
	if l.core != nil {
		return nil
	}
	fresh, err := NewLearner(nil)
	if err == nil {
		*l = *fresh
	}
	return err
}

// update takes a step on rows that have passed the door but for their columns.
func (l *Learner) update(x, y compute.Matrix) (Step, error) {
	if err := l.core.checkShape(x, y, l.outputs); err != nil {
		return Step{}, err
	}
	if err := checkTargets(y); err != nil {
		return Step{}, err
	}
	s, err := l.core.update(batch{x: x, y: y, outputs: y.Cols})
	if err == nil {
		l.outputs = y.Cols
	}
	return s, err
}

// checkTargets refuses targets whose squares could leave the range of numbers.
func checkTargets(y compute.Matrix) error {
	for i := range y.Rows {
		for _, v := range row(y, i) {
			if math.Abs(v) > outOfRange {
				return fmt.Errorf("polk: target %v in row %d exceeds %g: %w", v, i, outOfRange, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// checkShape compares a batch with those before it.
func (c *core) checkShape(x, y compute.Matrix, outputs int) error {
	if c.inputs > 0 && x.Cols != c.inputs {
		return fmt.Errorf("polk: x has %d columns, want %d: %w", x.Cols, c.inputs, rkhs.ErrShape)
	}
	if outputs > 0 && y.Cols != outputs {
		return fmt.Errorf("polk: y has %d columns, want %d: %w", y.Cols, outputs, rkhs.ErrShape)
	}
	return nil
}

// Totals sums up the steps so far.
func (l *Learner) Totals() Totals {
	if l.core == nil {
		return Totals{}
	}
	return l.core.totals
}

// Model returns the model so far; rows that wait count as if no more came. It
// does not change with the steps after it. Before the first row the error wraps
// rkhs.ErrEmpty. O(M·d).
func (l *Learner) Model() (*Model, error) {
	if l.core == nil {
		return nil, fmt.Errorf("polk: nothing was learned yet: %w", rkhs.ErrEmpty)
	}
	c, err := l.core.snapshot()
	if err != nil {
		return nil, err
	}
	return c.model(), nil
}
