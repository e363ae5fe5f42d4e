package alignment

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// prepare sets rows aside where there is something to choose, the second stage
// or the penalty, and nothing else to choose by.
func (s *settings) prepare(t *task, secondStage bool) {
	switch {
	case t.foreign:
	case secondStage || s.choosesShrink():
		s.setAside(t)
	default:
		t.learn = span(t.x.Rows)
	}
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

// chooseShrink returns the kernel learned from t.learn with the penalty of the
// largest alignment on t.check.
func (s *settings) chooseShrink(t *task, r *monitor.Monitor) (*Result, error) {
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
		if r.Stopped() {
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
