package search

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A Basis approximates a kernel by random features, landmarks or dictionary points. It
// sets dst to the Gram matrix Z·Zᵀ of the features Z of the rows x. It returns false if
// it cannot represent the kernel. The caller adds at least the given noise to the
// diagonal, so dst may have errors that are negligible relative to it.
type Basis func(dst compute.Matrix, k kernel.Kernel, noise float64, x compute.Points) bool

// basisNoises is the number of steps towards larger noise. The part of the function
// that a basis cannot represent acts as noise.
const basisNoises = 3

// bestByBasis scores the best candidate of each family with a basis and returns the best
// trial and its report. It returns nil without a basis or if no candidate was scored.
// The standard error is relative to the basis. A simpler family wins if it is worse by
// at most half a standard error.
func (t *search) bestByBasis(st *rung, finalists []finalist, basis Basis, narrower bool) (best *trial, result kernel.Trial) {
	if basis == nil {
		return nil, result
	}
	var list []*trial
	r := &basisScorer{scorer: st.acquire(t.workers), basis: basis, known: map[candidate]*trial{}, turns: map[candidate]int{}}
	r.full = false
	defer st.pool.put(r.scorer)
	for _, from := range finalists {
		// A basis does no better than the exact kernel.
		if len(list) > 0 && from.score > list[0].score+beyond {
			break
		}
		if best := r.onBasis(from.candidate, narrower); best != nil {
			list = ranked(append(list, best))
		}
	}
	if len(list) == 0 {
		return nil, result
	}
	best = list[0]
	for _, other := range list {
		if other.family < best.family && other.within(familyErrors, list[0]) {
			best = other
		}
	}
	result = st.report(best)
	result.StandardError = standardError(best.loss, list[0].loss)
	return best, result
}

// beyond is a margin in score, a hundredth of the error. The search skips a family if
// its exact score exceeds the best score with a basis by more.
const beyond = 0.01

// finalist is the best candidate of a family with its score on the rows of the last rung.
type finalist struct {
	candidate
	score float64
}

// bestOfFamilies returns the best candidate of each family, best first, as scored on
// the most rows. A family that was dropped early gets the final score of the winner plus
// its distance to the winner on the smaller sample. Extra scales are excluded unless the rule
// selected one.
func (t *search) bestOfFamilies(chosen candidate) []finalist {
	allowed := func(r *trial) bool { return !t.problem.extra(r.candidate) || r.scale == chosen.scale }
	var list []finalist
	rungs := []*rung{t.final, t.fine, t.coarse}
	last := slices.IndexFunc(rungs, func(s *rung) bool { return s.best() != nil })
	winner := rungs[last].best()
	for family := range t.problem.families {
		for _, st := range rungs[last:] {
			best := st.bestOf(family, allowed)
			if best == nil {
				continue
			}
			c := finalist{best.candidate, best.score}
			if rival := st.bestOf(winner.family, allowed); rival != nil {
				c.score += winner.score - rival.score
			}
			list = append(list, c)
			break
		}
	}
	slices.SortStableFunc(list, func(a, b finalist) int { return cmp.Compare(a.score, b.score) })
	return list
}

// bestOf returns the best allowed trial of a family, or nil if it has no prediction.
func (s *rung) bestOf(family int, allowed func(r *trial) bool) *trial {
	return s.bestWhere(func(r *trial) bool { return r.family == family && allowed(r) })
}

// basisSteps are the steps to try: half the bandwidth with the same or ten times the
// noise, and if these do not help, twice the bandwidth.
var basisSteps = [][][2]int{{{-2, 0}, {-2, 2}}, {{2, 0}}}

const basisRounds = 6 // maximum number of steps in one direction

// basisScorer scores candidates with a basis and caches the results. Different noises share a Gram matrix.
type basisScorer struct {
	*scorer
	basis  Basis
	filled candidate // candidate of the Gram matrix, valid for this noise and larger noises
	ready  bool      // whether the Gram matrix is set
	known  map[candidate]*trial
	turns  map[candidate]int // by kernel, with noise 0: the noise from which the score rises
}

// onBasis returns the best trial with a basis at the given kernel or, if narrower kernels may do
// better, along steps of the bandwidth. It returns nil without such a trial.
func (r *basisScorer) onBasis(at candidate, narrower bool) *trial {
	first := r.noises(at, nil)
	if first == nil || !narrower {
		return first
	}
	best := first
	for _, moves := range basisSteps {
		for from, round := (*trial)(nil), 0; best != from && round < basisRounds; round++ {
			from = best
			for _, move := range moves {
				if next := r.noises(from.step(move[0], move[1]), best); better(next, best) {
					best = next
				}
			}
		}
		if best != first {
			break
		}
	}
	return best
}

// noises returns the best trial of a candidate among its own and larger noises, or nil.
// It stops when the score rises and remembers that noise for the kernel. With a rival it
// also stops if extrapolating the last decrease linearly does not reach the rival's
// score: the decrease slows down with each step.
func (r *basisScorer) noises(at candidate, rival *trial) (best *trial) {
	k, hopeless := at.step(0, -at.noise), false
	for step := 0; step <= basisNoises && !hopeless; step++ {
		next := at.step(0, step)
		if turn, ok := r.turns[k]; ok && next.noise > turn {
			break
		}
		scored := r.score(next)
		if scored == nil {
			break
		}
		if scored.loss == nil {
			continue
		}
		if !better(scored, best) {
			r.turns[k] = next.noise
			break
		}
		if best != nil && rival != nil {
			hopeless = scored.score-float64(basisNoises-step)*(best.score-scored.score) > rival.score
		}
		best = scored
	}
	return best
}

// score returns the trial of a candidate. It returns nil outside of the grid, if the
// basis cannot represent the kernel, and after the search was stopped.
func (r *basisScorer) score(at candidate) *trial {
	if !r.problem.allowed(at) || r.counter.stopped() {
		return nil
	}
	if scored := r.known[at]; scored != nil {
		return scored
	}
	if !r.fill(at) {
		return nil
	}
	r.known[at] = r.scorePrediction(at)
	return r.known[at]
}

// fill sets the Gram matrix and returns false if the basis cannot represent the kernel.
func (r *basisScorer) fill(at candidate) bool {
	if r.ready && r.filled.noise <= at.noise && r.filled.step(0, at.noise-r.filled.noise) == at {
		return true
	}
	r.factor, r.filled = false, at
	sample := r.problem.sample.Between(0, r.n)
	r.ready = r.basis(r.gram, r.problem.kernel(at), r.problem.noise(at)/r.problem.weights.Between(0, r.n).Most(), sample)
	return r.ready
}
