package selection

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// mostCandidates is the number above which a grid is taken for a mistake.
const mostCandidates = 1 << 20

// Grid returns a candidate for each combination of the values of the axes, those of the last
// axis changing fastest; without axes the one of opts. fit is the function of a learner, such
// as ridge.Fit or polk.FitClassifier, or one of your own, and opts are the options that the
// axes leave as they are; each fit is given a copy. It is to predict labels if it returns an
// rkhs.Classifier by its type.
//
// List simple candidates first: the one-standard-error rule prefers them. The error is
// rkhs.ErrOption for a nil fit, for an axis that is wrong, twice there, or an interval, and for
// more than 2²⁰ candidates.
func Grid[O any, M rkhs.Model](name string, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), opts O, axes ...Axis[O]) ([]Candidate, error) {
	s, err := newSpace(name, fit, opts, axes)
	switch {
	case err != nil:
	case !s.listed():
		err = fmt.Errorf("an interval has no grid: list its values, or use Random: %w", rkhs.ErrOption)
	case s.count() > mostCandidates:
		err = fmt.Errorf("more than %d candidates: %w", mostCandidates, rkhs.ErrOption)
	}
	if err != nil {
		return nil, fmt.Errorf("selection: Grid: %w", err)
	}
	list := make([]Candidate, s.count())
	for i := range list {
		list[i] = s.candidate(s.place(i))
	}
	return list, nil
}

// Random returns n candidates, of which each has a value of each axis, drawn by the seed: one
// of those listed, all equally likely, or a number of the interval. If all axes are lists, no
// candidate comes twice, and there are no more than their grid has. The candidates of a
// smaller n are the first of those of a larger one. Otherwise it is as Grid, which a random
// search outdoes where few of the options matter (Bergstra and Bengio, "Random search for
// hyper-parameter optimization", JMLR 2012). The error is rkhs.ErrOption, as of Grid, or for
// n < 1.
func Random[O any, M rkhs.Model](name string, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), opts O, n int, seed uint64, axes ...Axis[O]) ([]Candidate, error) {
	s, err := newSpace(name, fit, opts, axes)
	if err == nil && (n < 1 || n > mostCandidates) {
		err = fmt.Errorf("%d candidates, want 1 … %d: %w", n, mostCandidates, rkhs.ErrOption)
	}
	if err != nil {
		return nil, fmt.Errorf("selection: Random: %w", err)
	}
	if s.listed() {
		return s.sample(n, seed), nil
	}
	list := make([]Candidate, n)
	for i := range list {
		stream := rng.New(seed, "selection random", uint64(i))
		settings := make([]setting[O], len(axes))
		for j, a := range axes {
			if a.draw != nil {
				settings[j] = a.draw(stream)
			} else {
				settings[j] = a.list[stream.IntN(len(a.list))]
			}
		}
		list[i] = s.candidate(settings)
	}
	return list, nil
}

// space is what candidates of one learner are made of.
type space[O any] struct {
	name       string
	classifier bool
	fit        func(ctx context.Context, x, y mat.Matrix, opts *O) (rkhs.Model, error)
	opts       O
	axes       []Axis[O]
}

func newSpace[O any, M rkhs.Model](name string, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), opts O, axes []Axis[O]) (*space[O], error) {
	if fit == nil {
		return nil, fmt.Errorf("fit of %q is nil: %w", name, rkhs.ErrOption)
	}
	seen := map[string]bool{}
	for _, a := range axes {
		if err := a.check(); err != nil {
			return nil, err
		}
		if seen[a.name] {
			return nil, fmt.Errorf("two axes are named %s: %w", a.name, rkhs.ErrOption)
		}
		seen[a.name] = true
	}
	var none M
	_, classifier := any(none).(rkhs.Classifier)
	return &space[O]{name: name, classifier: classifier, opts: opts, axes: axes,
		fit: func(ctx context.Context, x, y mat.Matrix, opts *O) (rkhs.Model, error) { return fit(ctx, x, y, opts) }}, nil
}

func (a Axis[O]) check() error {
	if a.err == nil && a.list == nil && a.draw == nil {
		return fmt.Errorf("an axis that no constructor has made: %w", rkhs.ErrOption)
	}
	return a.err
}

// listed tells whether all axes are lists.
func (s *space[O]) listed() bool {
	for _, a := range s.axes {
		if a.draw != nil {
			return false
		}
	}
	return true
}

// place returns the settings of a number of the grid.
func (s *space[O]) place(number int) []setting[O] {
	settings := make([]setting[O], len(s.axes))
	for j := len(s.axes) - 1; j >= 0; j-- {
		list := s.axes[j].list
		settings[j] = list[number%len(list)]
		number /= len(list)
	}
	return settings
}

// count returns the number of candidates of the grid, or the largest int.
func (s *space[O]) count() int {
	count := 1
	for _, a := range s.axes {
		if len(a.list) > math.MaxInt/count {
			return math.MaxInt
		}
		count *= len(a.list)
	}
	return count
}

// sample returns n of the grid, or all of them in random order.
func (s *space[O]) sample(n int, seed uint64) []Candidate {
	count := s.count()
	var list []Candidate
	for _, number := range rng.New(seed, "selection grid", 0).Sample(count, min(n, count)) {
		list = append(list, s.candidate(s.place(number)))
	}
	return list
}

func (s *space[O]) candidate(settings []setting[O]) Candidate {
	c := Candidate{Name: s.name, Classifier: s.classifier}
	for j, v := range settings {
		c.Values = append(c.Values, Value{s.axes[j].name, v.value})
	}
	c.Fit = func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		opts := s.opts
		for _, v := range settings {
			v.set(&opts)
		}
		return s.fit(ctx, x, y, &opts)
	}
	return c
}
