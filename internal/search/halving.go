package search

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// The search uses successive halving (Jamieson and Talwalkar, "Non-stochastic best arm
// identification and hyperparameter optimization", 2016). It scores all column scales and
// families on few rows, in steps of 2 for bandwidths and 10 for noises. It refines the
// best on more rows, in single grid steps, and scores the finalists on the whole sample.
const (
	coarseRows      = 350
	fineRows        = 700
	sampleRows      = 2000
	fineCandidates  = 5  // candidates for the fine rung, one per scale and family
	finalCandidates = 3  // candidates for the final rung
	fineSteps       = 3  // maximum number of refinement steps
	coarseTrials    = 20 // typical maximum number of trials per scale and family
	fineTrials      = 12
	finalTrials     = 5
	extraCandidates = 2 // candidates with extra scales
)

// search holds the rungs. Stages of equal size are the same rung.
type search struct {
	problem             *problem
	counter             *counter
	workers             int
	side                int // concurrent tasks
	coarse, fine, final *rung
	metrics             *metricSearch // or nil
	rescoring           *rescoring    // or nil
}

// sizes are the numbers of rows of the rungs.
type sizes struct{ coarse, fine, final, held int }

func sizesOf(n int) sizes {
	s := sizes{coarse: min(n, coarseRows), fine: min(n, fineRows), final: n, held: n}
	if n > 2*fineRows {
		s.held = n - n/3 // half of the cost of the inverse
	}
	return s
}

// shrunk returns sizes smaller by a tenth.
func (s sizes) shrunk() sizes {
	for _, n := range []*int{&s.coarse, &s.fine, &s.final, &s.held} {
		*n -= (*n + 9) / 10
	}
	s.held = max(1, min(s.held, s.final))
	return s
}

// total returns the work of a search among all families and all scales except encoded codes.
func (s sizes) total(d int, extra bool) float64 {
	coarse, fine, final := s.work(5*len(AllFamilies), d, extra)
	return coarse + fine + final
}

// work returns the maximum number of floating-point operations of each rung for the given number
// of scales times families. extra adds candidates with extra scales.
func (s sizes) work(cells, d int, extra bool) (coarse, fine, final float64) {
	inFine, inFinal := fineCandidates*fineTrials, finalTrials
	if extra {
		inFine, inFinal = inFine+extraCandidates*fineTrials, inFinal+extraCandidates+2 // and two noises
	}
	coarse = float64(cells*coarseTrials) * work(s.coarse, s.coarse, d)
	fine = float64(inFine) * work(s.fine, s.fine, d)
	final = float64(inFinal) * work(s.final, s.held, d)
	return coarse, fine, final
}

func newSearch(p *problem, o *Options, s sizes) *search {
	w := &counter{stop: o.Stopped, progress: o.Progress}
	t := &search{problem: p, counter: w, workers: compute.Workers(o.Workers), side: o.side(s, p.sample.PerRow(), p.y.Cols)}
	t.coarse = newRung(p, w, s.coarse, s.coarse, t.workers).shareDistances()
	t.fine, t.final = t.coarse, t.coarse
	if s.fine > s.coarse {
		t.fine = newRung(p, w, s.fine, s.fine, t.workers).shareDistances()
		t.final = t.fine
	}
	if s.final > s.fine {
		t.final = newRung(p, w, s.final, s.held, t.workers)
	}
	if o.learnsMetric(s.final, p.sample.Cols) {
		t.metrics = newMetricSearch(t, s.final, o)
	}
	return t
}

// run returns the last rung with a prediction, or nil.
func (t *search) run(s sizes) *rung {
	p := t.problem
	cells := len(p.scales) * len(p.families)
	first, second, third := s.work(cells, p.width(), p.extraScales())
	t.counter.total = first + second + third
	if t.metrics != nil {
		t.counter.total += metricWork(s.final, p.width())
	}
	if t.rescoring != nil {
		t.counter.total += t.rescoring.work()
	}
	t.counter.reach(0)
	list := ranked(t.coarse.parallel(cells, t.side, func(r *scorer, i int) *trial {
		return r.coarse(i/len(p.families), i%len(p.families))
	}))
	t.counter.reach(first)
	if t.fine != t.coarse {
		t.coarse.release()
	}
	list = t.leaders(list, fineCandidates)
	list = ranked(t.fine.parallel(len(list), t.side, func(r *scorer, i int) *trial { return r.refine(list[i].candidate) }))
	t.counter.reach(first + second)
	if t.final != t.fine {
		t.fine.release()
		t.final.finish(t.finalists(list))
	}
	t.final.settle()
	if !t.counter.stopped() {
		t.counter.reach(first + second + third)
	}
	for _, st := range []*rung{t.final, t.fine, t.coarse} {
		if st.best() != nil {
			return st
		}
	}
	return nil
}

// ranked sorts trials best first and removes nil.
func ranked(list []*trial) []*trial {
	list = slices.DeleteFunc(list, func(r *trial) bool { return r == nil })
	slices.SortStableFunc(list, func(a, b *trial) int { return cmp.Compare(a.score, b.score) })
	return list
}

// leaders returns the trials that advance. Extra scales have separate slots, one of them
// for warped columns, so that they do not displace other scales.
func (t *search) leaders(list []*trial, count int) []*trial {
	var others, extra []*trial
	for _, r := range list {
		if t.problem.extra(r.candidate) {
			extra = append(extra, r)
		} else {
			others = append(others, r)
		}
	}
	if t.problem.sample.Sparse == nil {
		extra = extra[:min(1, len(extra))]
	}
	return append(leaders(others, count), leaders(extra, extraCandidates)...)
}

// finalists returns the trials that advance to the whole sample. Warped columns advance only if
// they are better than all other scales, which the selection rule also requires.
func (t *search) finalists(list []*trial) []*trial {
	leaders := t.leaders(list, finalCandidates)
	return slices.DeleteFunc(leaders, func(r *trial) bool {
		return t.problem.scales[r.scale].columns.from != nil && better(leaders[0], r)
	})
}

// leaders returns the first count trials of a ranked list. They include the best trial of
// the preferred scale.
func leaders(list []*trial, count int) []*trial {
	if len(list) <= count {
		return list
	}
	preferred := slices.IndexFunc(list, func(r *trial) bool { return r.scale == 0 })
	if preferred >= count {
		list[count-1] = list[preferred]
	}
	return list[:count]
}

// coarse searches the bandwidths and noises of one scale and family.
func (r *scorer) coarse(scale, family int) *trial {
	first := r.bestNoise(r.problem.start(candidate{scale: scale, family: family}))
	best := first
	for _, step := range []int{-2, 2} {
		for at := first; at != nil; {
			next := at.step(step, 0)
			next.noise = max(next.noise, r.problem.leastNoise(next))
			at = r.bestNoise(next)
			if !better(at, best) {
				break
			}
			best = at
		}
	}
	return best
}

// bestNoise steps to lower noise while the trial improves. If the first step does not
// help, it steps to higher noise.
func (r *scorer) bestNoise(from candidate) *trial {
	best := r.score(from)
	for _, step := range []int{-2, 2} {
		for best != nil {
			next := r.score(best.step(0, step))
			if !better(next, best) {
				break
			}
			best = next
		}
		if best != nil && best.noise != from.noise {
			break
		}
	}
	return best
}

// neighbours are the grid steps of refine. They include diagonals because a wider kernel
// with less noise is a similar model.
var neighbours = [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {1, -1}, {-1, 1}}

// refine moves to the best neighbour while one is better.
func (r *scorer) refine(from candidate) *trial {
	best := r.score(from)
	for range fineSteps {
		at := best
		for _, d := range neighbours {
			if best == nil {
				return nil
			}
			if next := r.score(best.step(d[0], d[1])); better(next, best) {
				best = next
			}
		}
		if best == at {
			break
		}
	}
	return best
}

// finish scores the finalists on the whole sample. It also scores the two adjacent noises
// of the best, with and without columns multiplied by their deviation.
func (s *rung) finish(list []*trial) {
	r := s.acquire(s.workers)
	defer s.pool.put(r)
	for _, l := range list {
		r.score(l.candidate)
	}
	for _, extra := range []bool{false, true} {
		if best := s.bestWhere(func(r *trial) bool { return s.problem.extra(r.candidate) == extra }); best != nil {
			r.score(best.step(0, -1))
			r.score(best.step(0, 1))
		}
	}
}

// trials returns all trials, best first.
func (s *rung) trials() []*trial {
	var list []*trial
	for _, r := range s.known {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.scale, b.scale), cmp.Compare(a.family, b.family),
			cmp.Compare(a.width, b.width), cmp.Compare(b.noise, a.noise))
	})
	return list
}

// best returns the best trial, or nil without a prediction.
func (s *rung) best() *trial { return s.bestWhere(func(*trial) bool { return true }) }

// bestWhere returns the best trial that satisfies is, or nil.
func (s *rung) bestWhere(is func(r *trial) bool) *trial {
	for _, r := range s.trials() {
		if r.loss != nil && is(r) {
			return r
		}
	}
	return nil
}
