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

// task holds the rows of a run.
type task struct {
	all examples
	// train lists the rows of all to train on during selection. check holds other rows to
	// select on.
	train []int
	check examples
	// validation holds the rows of the options.
	validation examples
}

// scaled returns the task with columns divided by scales; nil means no scaling.
func (t *task) scaled(scales []float64) *task {
	if scales == nil {
		return t
	}
	c := *t
	c.all.x, c.check.x = divided(c.all.x, scales), divided(c.check.x, scales)
	return &c
}

// divided returns a copy of m with each column divided by its scale.
func divided(m compute.Matrix, scales []float64) compute.Matrix {
	m = compute.Clone(m)
	for i := range m.Rows {
		floats.Div(compute.Row(m, i), scales)
	}
	return m
}

func newTask(x, y mat.Matrix, s *settings) (*task, error) {
	w, err := validated(door.WeighedPair, x, y)
	if err != nil {
		return nil, err
	}
	return divide(examples{x: w.X.Matrix, y: w.Y, weights: door.MeanOne(w.Weights)}, nil, s)
}

// newLabelledTask also returns the labels in ascending order.
func newLabelledTask(x, y mat.Matrix, s *settings) (*task, []int, error) {
	w, err := validated(door.WeighedLabels, x, y)
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

// validated returns at least two rows with their targets or labels.
func validated(enter func(pkg string, form door.Form, x, y mat.Matrix) (door.Weighed, error), x, y mat.Matrix) (door.Weighed, error) {
	w, err := enter(pkg, door.Dense, x, y)
	if err == nil && w.X.Rows < 2 {
		err = fmt.Errorf("alignment: a single row has no alignment: %w", rkhs.ErrShape)
	}
	if err == nil {
		err = choose.CheckRange(pkg, nil, w.X, w.Y)
	}
	return w, err
}

// divide returns the task of all rows. It selects on the validation rows of the options,
// or sets some rows aside if there is anything to select. labels is nil for a regression.
func divide(all examples, labels []int, s *settings) (t *task, err error) {
	t = &task{all: all, train: compute.Indices(all.x.Rows)}
	if s.ValidationX != nil {
		t.validation, err = validation(s, all, labels)
		t.check = t.validation
	} else if s.selects {
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

// setAside divides the rows. The number of rows set aside is a fraction of each class,
// rounded down.
func (t *task) setAside(fraction float64, seed uint64) {
	order := rng.New(seed, "alignment rows set aside", 0).Perm(t.all.x.Rows)
	slices.Reverse(order)
	count := func(rows int) int { return int(fraction * float64(rows)) }
	train, check := choose.HeldOutGroups(compute.DensePoints(t.all.x), t.all.y, order, t.all.class, count)
	slices.Sort(train)
	slices.Sort(check)
	t.train, t.check = train, t.all.pick(check)
}

// targets returns a column for each class, 1 in its rows and 0 elsewhere. For two classes
// one column of −1 and 1 gives the same centred T up to a factor.
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
