package alignment

import (
	"fmt"
	"slices"

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
}

// examples are rows with the targets of a search, and their classes if they have any.
type examples struct {
	x, y  compute.Matrix
	class []int
}

// pick returns a copy of some examples.
func (e examples) pick(list []int) examples {
	p := examples{x: compute.Pick(e.x, list), y: compute.Pick(e.y, list)}
	if e.class != nil {
		p.class = make([]int, len(list))
		for k, i := range list {
			p.class[k] = e.class[i]
		}
	}
	return p
}

// newTask checks and copies rows with targets as they are, and validation rows if
// there are any in the options; else rows are set aside if anything is to be chosen.
func newTask(x, y mat.Matrix, s *settings) (*task, error) {
	xs, ys, err := pair(x, y)
	if err != nil {
		return nil, err
	}
	t := &task{all: examples{x: xs, y: ys}, learn: span(xs.Rows)}
	if s.ValidationX != nil {
		t.check.x, t.check.y, err = validationRows(s, xs.Cols, ys.Cols)
	} else if s.chooses {
		t.setAside(s.HeldOut, s.Seed)
	}
	return t, err
}

// newLabelledTask is newTask for labels, which it also returns in ascending order.
func newLabelledTask(x, y mat.Matrix, s *settings) (*task, []int, error) {
	xs, ys, err := pair(x, y)
	if err != nil {
		return nil, nil, err
	}
	labels, class, err := door.Labels("alignment", ys)
	if err != nil {
		return nil, nil, err
	}
	t := &task{all: examples{x: xs, y: targets(class, len(labels)), class: class}, learn: span(xs.Rows)}
	if s.ValidationX == nil {
		if s.chooses {
			t.setAside(s.HeldOut, s.Seed)
		}
		return t, labels, nil
	}
	if t.check.x, ys, err = validationRows(s, xs.Cols, 1); err != nil {
		return nil, nil, err
	}
	if t.check.class, err = door.Known("alignment: ValidationY", ys, labels); err != nil {
		return nil, nil, err
	}
	t.check.y = targets(t.check.class, len(labels))
	return t, labels, nil
}

// setAside divides the rows. Of each class the same fraction is set aside, rounded
// down, so that small ones are learned from whole.
func (t *task) setAside(fraction float64, seed uint64) {
	order := rng.New(seed, "alignment rows set aside", 0).Perm(t.all.x.Rows)
	slices.Reverse(order)
	learn, check := choose.HeldOut(order, t.all.class, func(rows int) int { return int(fraction * float64(rows)) })
	slices.Sort(learn)
	slices.Sort(check)
	t.learn, t.check = learn, t.all.pick(check)
}

// divided reports whether rows were set aside.
func (t *task) divided() bool { return len(t.learn) < t.all.x.Rows }

// pair checks and copies rows and targets.
func pair(x, y mat.Matrix) (xs, ys compute.Matrix, err error) {
	if xs, err = door.Rows("alignment", "x", x); err != nil {
		return xs, ys, err
	}
	if ys, err = door.Rows("alignment", "y", y); err != nil {
		return xs, ys, err
	}
	if xs.Rows != ys.Rows {
		return xs, ys, fmt.Errorf("alignment: x has %d rows, y has %d: %w", xs.Rows, ys.Rows, rkhs.ErrShape)
	}
	if xs.Rows < 2 {
		return xs, ys, fmt.Errorf("alignment: a single row has no alignment: %w", rkhs.ErrShape)
	}
	return xs, ys, nil
}

// validationRows checks and copies the validation rows of the options.
func validationRows(s *settings, columns, outputs int) (x, y compute.Matrix, err error) {
	if x, err = door.RowsOf("alignment", "ValidationX", s.ValidationX, columns); err != nil {
		return x, y, err
	}
	if y, err = door.RowsOf("alignment", "ValidationY", s.ValidationY, outputs); err != nil {
		return x, y, err
	}
	if x.Rows != y.Rows {
		err = fmt.Errorf("alignment: ValidationX has %d rows, ValidationY has %d: %w", x.Rows, y.Rows, rkhs.ErrShape)
	}
	return x, y, err
}

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
