package selection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// maxCandidates is the largest number of candidates of a grid.
const maxCandidates = 1 << 20

// Grid returns a candidate for each combination of the values of the axes; the last axis varies
// fastest. fit is the function of a learner, such as ridge.Fit, or a user-defined function. Each fit
// receives a copy of opts with the values of its axes. The candidates are classifiers if the type M
// is an rkhs.Classifier.
//
// List simple candidates first, because OneStandardError prefers them. Errors are rkhs.ErrOption for
// a nil fit, an invalid or duplicate axis, an interval, and more than 2²⁰ candidates.
func Grid[O any, M rkhs.Model](name string, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), opts O, axes ...Axis[O]) ([]Candidate, error) {
	s, err := newSpace(name, fit, opts, axes)
	switch {
	case err != nil:
	case !s.listed():
		err = fmt.Errorf("an interval has no grid: list its values, or use Random: %w", rkhs.ErrOption)
	case s.count() > maxCandidates:
		err = fmt.Errorf("more than %d candidates: %w", maxCandidates, rkhs.ErrOption)
	}
	if err != nil {
		return nil, fmt.Errorf("selection: Grid: %w", err)
	}
	list := make([]Candidate, s.count())
	for i := range list {
		list[i] = s.gridPoint(i)
	}
	return list, nil
}

// Random returns n candidates with random values of the axes. If all axes are lists, the candidates
// are distinct grid points, at most all of them. A smaller n gives a prefix of the candidates of a
// larger n. Random search beats a grid if few options matter (Bergstra and Bengio, "Random search
// for hyper-parameter optimization", JMLR 2012). Errors are as for Grid, and rkhs.ErrOption for
// n < 1.
func Random[O any, M rkhs.Model](name string, fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error), opts O, n int, seed uint64, axes ...Axis[O]) ([]Candidate, error) {
	s, err := newSpace(name, fit, opts, axes)
	if err == nil && (n < 1 || n > maxCandidates) {
		err = fmt.Errorf("%d candidates, want 1 … %d: %w", n, maxCandidates, rkhs.ErrOption)
	}
	if err != nil {
		return nil, fmt.Errorf("selection: Random: %w", err)
	}
	var list []Candidate
	if s.listed() {
		count := s.count()
		for _, number := range rng.New(seed, "selection grid", 0).Sample(count, min(n, count)) {
			list = append(list, s.gridPoint(number))
		}
		return list, nil
	}
	for i := range n {
		stream := rng.New(seed, "selection random", uint64(i))
		settings := make([]setting[O], len(axes))
		for j, a := range axes {
			if a.draw != nil {
				settings[j] = a.draw(stream)
			} else {
				settings[j] = a.list[stream.IntN(len(a.list))]
			}
		}
		list = append(list, s.candidate(settings))
	}
	return list, nil
}

// space is the set of candidates of one learner.
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
		switch {
		case a.err != nil:
			return nil, a.err
		case a.list == nil && a.draw == nil:
			return nil, fmt.Errorf("an axis that no constructor has made: %w", rkhs.ErrOption)
		case seen[a.name]:
			return nil, fmt.Errorf("two axes are named %s: %w", a.name, rkhs.ErrOption)
		}
		seen[a.name] = true
	}
	var none M
	_, classifier := any(none).(rkhs.Classifier)
	return &space[O]{name: name, classifier: classifier, opts: opts, axes: axes,
		fit: func(ctx context.Context, x, y mat.Matrix, opts *O) (rkhs.Model, error) { return fit(ctx, x, y, opts) }}, nil
}

// listed reports whether all axes are lists.
func (s *space[O]) listed() bool {
	return !slices.ContainsFunc(s.axes, func(a Axis[O]) bool { return a.draw != nil })
}

// count returns the number of grid points, or the largest int.
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

func (s *space[O]) gridPoint(number int) Candidate {
	settings := make([]setting[O], len(s.axes))
	for j := len(s.axes) - 1; j >= 0; j-- {
		list := s.axes[j].list
		settings[j] = list[number%len(list)]
		number /= len(list)
	}
	return s.candidate(settings)
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
