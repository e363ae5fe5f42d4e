package alignment

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
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

// setAside divides the rows. Of each class the same fraction is set aside,
// rounded down, so that small ones are learned from whole.
func (s *settings) setAside(t *task) {
	class := func(i int) int {
		if t.class == nil {
			return 0
		}
		return t.class[i]
	}
	size, taken := map[int]int{}, map[int]int{}
	for i := range t.x.Rows {
		size[class(i)]++
	}
	var check []int
	for _, i := range rng.New(s.Seed, "alignment rows set aside", 0).Perm(t.x.Rows) {
		if c := class(i); float64(taken[c]+1) <= s.Holdout*float64(size[c]) {
			taken[c]++
			check = append(check, i)
		} else {
			t.learn = append(t.learn, i)
		}
	}
	slices.Sort(check)
	slices.Sort(t.learn)
	t.check = t.examples(check)
}

// validationRows checks and copies the validation rows of the options.
func (s *settings) validationRows(columns, outputs int) (x, y compute.Matrix, err error) {
	if x, err = input.RowsOf("alignment", "ValidationX", s.ValidationX, columns); err != nil {
		return x, y, err
	}
	if y, err = input.RowsOf("alignment", "ValidationY", s.ValidationY, outputs); err != nil {
		return x, y, err
	}
	if x.Rows != y.Rows {
		err = fmt.Errorf("alignment: ValidationX has %d rows, ValidationY has %d: %w", x.Rows, y.Rows, rkhs.ErrShape)
	}
	return x, y, err
}

// chooseShrink returns the kernel learned from t.learn with the penalty of the
// largest alignment on t.check. It sets rows aside unless there are foreign ones.
func (s *settings) chooseShrink(t *task, r *reporter) (*Result, error) {
	if !t.foreign {
		s.setAside(t)
	}
	from := t.examples(t.learn)
	if !s.choosesShrink() || t.check.x.Rows == 0 {
		return s.learn(from.x, from.y, s.Shrink[0], r)
	}
	const most = 2000
	n := min(most, t.check.x.Rows)
	check := examples{x: compute.Rows(t.check.x, 0, n), y: compute.Rows(t.check.y, 0, n)}
	var best *Result
	largest := math.Inf(-1)
	for _, shrink := range s.Shrink {
		res, err := s.learn(from.x, from.y, shrink, r)
		if err != nil {
			return nil, err
		}
		if a := alignmentWith(res.Kernel, check.x, check.y, s.Workers); best == nil || a > largest {
			best, largest = res, a
		}
		if r.stopped() {
			break
		}
	}
	return best, nil
}

// choosesShrink reports whether there are bandwidths to draw together, and
// several ways to do so.
func (s *settings) choosesShrink() bool {
	_, ok := s.Family.(kernel.ARD)
	return ok && len(s.Shrink) > 1
}
