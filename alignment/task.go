package alignment

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// task is what is learned from, and what choices are made by.
type task struct {
	x, y  compute.Matrix // all rows, with targets of the search
	class []int          // of each row; nil for numbers
	learn []int          // the rows to learn from while choices are made
	// check holds the rows to choose by: those of x that are not in learn, unless
	// they are foreign.
	check   examples
	foreign bool
}

// examples are rows with targets, and their classes if they have any.
type examples struct {
	x, y  compute.Matrix
	class []int
}

func (t *task) examples(list []int) examples {
	e := examples{x: rowsOf(t.x, list), y: rowsOf(t.y, list)}
	if t.class != nil {
		e.class = make([]int, len(list))
		for k, i := range list {
			e.class[k] = t.class[i]
		}
	}
	return e
}

// numbers is a task with targets as they are.
func (s *settings) numbers(x, y mat.Matrix) (*task, error) {
	xs, ys, err := pair(x, y)
	if err != nil {
		return nil, err
	}
	t := &task{x: xs, y: ys}
	if s.ValidationX == nil {
		return t, nil
	}
	t.learn, t.foreign = span(xs.Rows), true
	t.check.x, t.check.y, err = s.validationRows(xs.Cols, ys.Cols)
	return t, err
}

// labelled is a task with targets made of labels.
func (s *settings) labelled(x, labels mat.Matrix) (*task, *classes, error) {
	xs, y, err := pair(x, labels)
	if err != nil {
		return nil, nil, err
	}
	c, err := newClasses(y)
	if err != nil {
		return nil, nil, err
	}
	t := &task{x: xs, y: c.targets(c.index), class: c.index}
	if s.ValidationX == nil {
		return t, c, nil
	}
	t.learn, t.foreign = span(xs.Rows), true
	if t.check.x, y, err = s.validationRows(xs.Cols, 1); err != nil {
		return nil, nil, err
	}
	if t.check.class, err = door.Known("alignment: ValidationY", y, c.labels); err != nil {
		return nil, nil, err
	}
	t.check.y = c.targets(t.check.class)
	return t, c, nil
}

// validationRows checks and copies the validation rows of the options.
func (s *settings) validationRows(columns, outputs int) (x, y compute.Matrix, err error) {
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
