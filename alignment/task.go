package alignment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
)

// task holds the rows of a run.
type task struct {
	all    examples
	labels []int // ascending; nil for a regression
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

// newTask validates the rows and the targets or labels of a run. It selects on the
// validation rows of the options, or sets rows aside if there is anything to select.
func newTask(x, y mat.Matrix, s *settings) (*task, error) {
	enter := input.WeighedPair
	if s.labelled {
		enter = input.WeighedLabels
	}
	w, err := enter(pkg, input.Dense, x, y)
	if err != nil {
		return nil, err
	}
	if w.X.Rows < 2 {
		return nil, fmt.Errorf("alignment: a single row has no alignment: %w", rkhs.ErrShape)
	}
	if err := search.CheckRange(pkg, nil, w.X, w.Y); err != nil {
		return nil, err
	}
	t := &task{all: examples{x: w.X.Matrix, y: w.Y, weights: input.MeanOne(w.Weights)}, train: compute.Indices(w.X.Rows)}
	if s.labelled {
		if t.labels, t.all.class, err = input.Labels(pkg, w.Y); err != nil {
			return nil, err
		}
		t.all.y = targets(t.all.class, len(t.labels))
	}
	if s.ValidationX != nil {
		t.validation, err = t.validate(s.ValidationX, s.ValidationY, w.Y.Cols)
		t.check = t.validation
	} else if s.selects {
		t.setAside(s.HeldOut, s.Seed)
	}
	return t, err
}

// validate returns the validation rows of the options.
func (t *task) validate(x, y mat.Matrix, outputs int) (check examples, err error) {
	if check.x, err = input.RowsOf(pkg, "ValidationX", x, t.all.x.Cols); err != nil {
		return check, err
	}
	if check.y, err = input.RowsOf(pkg, "ValidationY", y, outputs); err != nil {
		return check, err
	}
	if check.x.Rows != check.y.Rows {
		return check, fmt.Errorf("alignment: ValidationX has %d rows, ValidationY has %d: %w", check.x.Rows, check.y.Rows, rkhs.ErrShape)
	}
	if t.labels != nil {
		check.class, err = input.Known("alignment: ValidationY", check.y, t.labels)
		check.y = targets(check.class, len(t.labels))
	}
	return check, err
}

// setAside divides the rows. The number of rows set aside is a fraction of each class,
// rounded down.
func (t *task) setAside(fraction float64, seed uint64) {
	order := rng.New(seed, "alignment rows set aside", 0).Perm(t.all.x.Rows)
	slices.Reverse(order)
	count := func(rows int) int { return int(fraction * float64(rows)) }
	train, check := search.HeldOutGroups(compute.DensePoints(t.all.x), t.all.y, order, t.all.class, count)
	slices.Sort(train)
	slices.Sort(check)
	t.train, t.check = train, t.all.pick(check)
}

// targets returns a column for each class, 1 in its rows and 0 elsewhere. For two classes
// one column of −1 and 1 gives the same centred T up to a factor.
func targets(class []int, count int) compute.Matrix {
	if count == 2 {
		return input.Targets(class, 1)
	}
	y := compute.NewMatrix(len(class), count)
	for i, k := range class {
		compute.Row(y, i)[k] = 1
	}
	return y
}

// examples are rows with their targets, and with their classes if they have labels.
type examples struct {
	x, y    compute.Matrix
	class   []int
	weights compute.Weights // of mean one over all rows
}

// pick returns a copy of some examples.
func (e examples) pick(list []int) examples {
	return examples{compute.Pick(e.x, list), compute.Pick(e.y, list), compute.PickOf(e.class, list), e.weights.Pick(list)}
}

// sample returns up to most randomly drawn examples.
func (e examples) sample(most int, seed, number uint64) examples {
	return e.pick(rng.New(seed, "alignment rows compared", number).Sample(e.x.Rows, min(most, e.x.Rows)))
}

// with returns the examples of both.
func (e examples) with(o examples) examples {
	all := examples{x: compute.Stack(e.x, o.x), y: compute.Stack(e.y, o.y), class: slices.Concat(e.class, o.class)}
	if e.weights == nil && o.weights == nil {
		return all
	}
	for _, part := range []examples{e, o} {
		for i := range part.x.Rows {
			all.weights = append(all.weights, part.weights.At(i))
		}
	}
	return all
}

// firstCopies returns for each row the first equal one.
func (e examples) firstCopies() []int { return compute.DensePoints(e.x).FirstCopies(e.y, e.class) }

// byWeight lists rows so that pairs of listed rows count by the weights. If the weights
// are multiples of the smallest one, with a sum of at most 4000 of it, each row is
// repeated accordingly. Otherwise n rows are drawn by systematic sampling, which gives a
// row its expected number to within one (Cochran, "Sampling techniques", 1977, chapter 8).
func (e examples) byWeight(n int, seed uint64) []int {
	if rows, ok := e.repeated(); ok {
		return rows
	}
	var rows []int
	step := e.weights.Total(e.x.Rows) / float64(n)
	at, sum := step*rng.New(seed, "alignment rows by weight", 0).Float64(), 0.0
	for i := range e.x.Rows {
		for sum += e.weights.At(i); at < sum && len(rows) < n; at += step {
			rows = append(rows, i)
		}
	}
	return rows
}

// repeated lists each row as often as its weight is a multiple of the smallest one.
func (e examples) repeated() (rows []int, ok bool) {
	const most, tolerance = 4000, 1e-9
	least := e.weights.Least()
	if e.weights.Total(e.x.Rows) > most*least {
		return nil, false
	}
	for i, w := range e.weights {
		times := math.Round(w / least)
		if math.Abs(w/least-times) > tolerance*times {
			return nil, false
		}
		rows = append(rows, slices.Repeat([]int{i}, int(times))...)
	}
	return rows, true
}

// repeat returns the examples of byWeight, or e itself without weights.
func (e examples) repeat(seed uint64) examples {
	if e.weights == nil {
		return e
	}
	return e.pick(e.byWeight(e.x.Rows, seed))
}
