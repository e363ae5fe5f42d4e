package alignment

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// task is what is learned from, and what choices are made by.
type task struct {
	all examples
	// learn lists the rows of all to learn from while choices are made, and check
	// holds rows to choose by, which are not among them.
	learn []int
	check examples
	// validation are the rows of the options, if there are any.
	validation examples
}

// examples are rows with the targets of a search, and their classes if they have any.
type examples struct {
	x, y    compute.Matrix
	class   []int
	weights compute.Weights // of mean one among all
}

// pick returns a copy of some examples.
func (e examples) pick(list []int) examples {
	return examples{x: compute.Pick(e.x, list), y: compute.Pick(e.y, list), class: compute.PickOf(e.class, list), weights: e.weights.Pick(list)}
}

// over returns the task of rows over scales of the columns, nil for none.
func (t *task) over(scales []float64) *task {
	if scales == nil {
		return t
	}
	c := *t
	for _, e := range []*examples{&c.all, &c.check} {
		e.x = compute.Clone(e.x)
		for i := range e.x.Rows {
			floats.Div(compute.Row(e.x, i), scales)
		}
	}
	return &c
}

// newTask takes rows with targets as they are.
func newTask(x, y mat.Matrix, s *settings) (*task, error) {
	w, err := pair(door.WeighedPair, x, y)
	if err != nil {
		return nil, err
	}
	return divide(examples{x: w.X.Matrix, y: w.Y, weights: door.MeanOne(w.Weights)}, nil, s)
}

// newLabelledTask takes rows with labels, which it also returns in ascending order.
func newLabelledTask(x, y mat.Matrix, s *settings) (*task, []int, error) {
	w, err := pair(door.WeighedLabels, x, y)
	if err != nil {
		return nil, nil, err
	}
	labels, class, err := door.Labels(pkg, w.Y)
	if err != nil {
		return nil, nil, err
	}
	t, err := divide(examples{x: w.X.Matrix, y: targets(class, len(labels)), class: class, weights: door.MeanOne(w.Weights)}, labels, s)
	return t, labels, err
}

// pair lets in two rows or more, of weight, with their targets or labels.
func pair(enter func(pkg string, form door.Form, x, y mat.Matrix) (door.Weighed, error), x, y mat.Matrix) (door.Weighed, error) {
	w, err := enter(pkg, door.Dense, x, y)
	if err == nil && w.X.Rows < 2 {
		err = fmt.Errorf("alignment: a single row has no alignment: %w", rkhs.ErrShape)
	}
	if err == nil {
		err = choose.CheckRange(pkg, nil, w.X, w.Y)
	}
	return w, err
}

// divide returns the task of rows with targets, which are made of labels unless those
// are nil. The rows to choose by are those of the options, or else set aside if there
// is anything to choose.
func divide(all examples, labels []int, s *settings) (t *task, err error) {
	t = &task{all: all, learn: compute.Indices(all.x.Rows)}
	if s.ValidationX != nil {
		t.validation, err = validation(s, all, labels)
		t.check = t.validation
	} else if s.chooses {
		t.setAside(s.HeldOut, s.Seed)
	}
	return t, err
}

// validation returns the validation rows of the options.
func validation(s *settings, all examples, labels []int) (check examples, err error) {
	outputs := all.y.Cols
	if labels != nil {
		outputs = 1
	}
	if check.x, err = door.RowsOf(pkg, "ValidationX", s.ValidationX, all.x.Cols); err != nil {
		return check, err
	}
	if check.y, err = door.RowsOf(pkg, "ValidationY", s.ValidationY, outputs); err != nil {
		return check, err
	}
	if check.x.Rows != check.y.Rows {
		return check, fmt.Errorf("alignment: ValidationX has %d rows, ValidationY has %d: %w", check.x.Rows, check.y.Rows, rkhs.ErrShape)
	}
	if labels != nil {
		check.class, err = door.Known("alignment: ValidationY", check.y, labels)
		check.y = targets(check.class, len(labels))
	}
	return check, err
}

// setAside divides the rows. Of each class the same fraction is set aside, rounded
// down, so that small ones are learned from whole.
func (t *task) setAside(fraction float64, seed uint64) {
	order := rng.New(seed, "alignment rows set aside", 0).Perm(t.all.x.Rows)
	slices.Reverse(order)
	learn, check := choose.HeldOutGroups(compute.DensePoints(t.all.x), t.all.y, order, t.all.class, func(rows int) int { return int(fraction * float64(rows)) })
	slices.Sort(learn)
	slices.Sort(check)
	t.learn, t.check = learn, t.all.pick(check)
}

// divided reports whether rows were set aside.
func (t *task) divided() bool { return len(t.learn) < t.all.x.Rows }

// targets returns a column for each class, 1 in its rows and 0 in others; the
// matrix of two such columns is that of −1 and 1, but for a factor and constants
// that centring removes, and has one column.
func targets(class []int, count int) compute.Matrix {
	if count == 2 {
		return door.Targets(class, 1)
	}
	y := compute.NewMatrix(len(class), count)
	for i, k := range class {
		compute.Row(y, i)[k] = 1
	}
	return y
}
