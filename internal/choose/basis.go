package choose

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A Basis, of random features, landmarks or points, makes a kernel of its own of a given
// one. It sets dst to the Gram matrix of that kernel between the rows x, or reports that
// it has nothing for the kernel. With Z for the features of the rows, dst is Z·Zᵀ. At least
// so much noise is added to its diagonal, beside which it may be rounded.
type Basis func(dst compute.Matrix, k kernel.Kernel, noise float64, x compute.Points) bool

// basisNoises is the number of steps towards larger noises that a basis may take: what
// it does not carry of the function is noise to it.
const basisNoises = 3

// carried returns the rating that does best with a basis, among the best place of each
// family, and its trial, or nil without a basis or if none was rated. The error is that of the basis; the
// simpler family is taken that is worse by half a standard error at most.
func (t *search) carried(st *stage, contenders []contender, basis Basis, narrower bool) (best *rating, trial kernel.Trial) {
	if basis == nil {
		return nil, trial
	}
	var list []*rating
	r := &basisRater{rater: st.take(t.workers), basis: basis, known: map[place]*rating{}, turns: map[place]int{}}
	r.full = false
	defer st.pool.give(r.rater)
	for _, from := range contenders {
		// No basis does better than the kernel itself.
		if len(list) > 0 && from.score > list[0].score+beyond {
			break
		}
		if best := r.onBasis(from.place, narrower); best != nil {
			list = ranked(append(list, best))
		}
	}
	if len(list) == 0 {
		return nil, trial
	}
	best = list[0]
	for _, other := range list {
		if other.family < best.family && other.within(familyErrors, list[0]) {
			best = other
		}
	}
	trial = st.trial(best)
	trial.StandardError = standardError(best.loss, list[0].loss)
	return best, trial
}

// beyond is how much worse the score of a family may be than that of what is carried of
// another: a hundredth of the error.
const beyond = 0.01

// contender is the best place of a family, and the score on the rows of the last stage.
type contender struct {
	place
	score float64
}

// bestOfFamilies returns the best place of each family, the best first. Places are as
// rated on the most rows that they were rated on. What few rows say of a family that went
// no further is how far it was behind the one that won.
// Columns times their deviation are none where the rule did not choose them.
func (t *search) bestOfFamilies(chosen place) []contender {
	allowed := func(r *rating) bool { return !t.problem.spread(r) || r.scale == chosen.scale }
	var list []contender
	stages := []*stage{t.final, t.fine, t.coarse}
	last := slices.IndexFunc(stages, func(s *stage) bool { return s.best() != nil })
	winner := stages[last].best()
	for family := range t.problem.families {
		for _, st := range stages[last:] {
			best := st.bestOf(family, allowed)
			if best == nil {
				continue
			}
			c := contender{best.place, best.score}
			if rival := st.bestOf(winner.family, allowed); rival != nil {
				c.score += winner.score - rival.score
			}
			list = append(list, c)
			break
		}
	}
	slices.SortStableFunc(list, func(a, b contender) int { return cmp.Compare(a.score, b.score) })
	return list
}

// bestOf returns the best rating of a family that is allowed, or nil if there is no prediction.
func (s *stage) bestOf(family int, allowed func(r *rating) bool) *rating {
	return s.bestWhere(func(r *rating) bool { return r.family == family && allowed(r) })
}

// basisMoves are steps to half the bandwidth, with the same or ten times the noise, and where these do no
// better, to twice the bandwidth.
var basisMoves = [][][2]int{{{-2, 0}, {-2, 2}}, {{2, 0}}}

const basisRounds = 6 // of steps one way, at most

// basisRater rates places with a basis, each once. A Gram matrix serves all noises in turn.
type basisRater struct {
	*rater
	basis  Basis
	filled place // whose Gram matrix is there, for its noise and larger ones
	ready  bool  // whether one is
	known  map[place]*rating
	turns  map[place]int // by kernel, with no noise: the noise from which on the score rises
}

// onBasis returns the best rating with a basis of a place and of larger noises, and, if narrower
// kernels may do better, of what steps of the bandwidth lead to; or nil.
func (r *basisRater) onBasis(at place, narrower bool) *rating {
	first := r.noises(at, nil)
	if first == nil || !narrower {
		return first
	}
	best := first
	for _, moves := range basisMoves {
		for from, round := (*rating)(nil), 0; best != from && round < basisRounds; round++ {
			from = best
			for _, move := range moves {
				if next := r.noises(from.moved(move[0], move[1]), best); better(next, best) {
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

// noises returns the best rating of a place and of larger noises, or nil. It ends where the score turns, beyond
// which a kernel is not rated again, and where it would not come to that of a rival, if there is one, though it
// went on to fall as fast: it falls ever more slowly.
func (r *basisRater) noises(at place, rival *rating) (best *rating) {
	k, hopeless := at.moved(0, -at.noise), false
	for step := 0; step <= basisNoises && !hopeless; step++ {
		next := at.moved(0, step)
		if turn, ok := r.turns[k]; ok && next.noise > turn {
			break
		}
		rated := r.rate(next)
		if rated == nil {
			break
		}
		if rated.loss == nil {
			continue
		}
		if !better(rated, best) {
			r.turns[k] = next.noise
			break
		}
		if best != nil && rival != nil {
			hopeless = rated.score-float64(basisNoises-step)*(best.score-rated.score) > rival.score
		}
		best = rated
	}
	return best
}

// rate returns the rating of a place, or nil outside of the grid, where the basis has nothing, and
// after the search was stopped.
func (r *basisRater) rate(at place) *rating {
	if !r.problem.allowed(at) || r.watch.stopped() {
		return nil
	}
	if rated := r.known[at]; rated != nil {
		return rated
	}
	if !r.fill(at) {
		return nil
	}
	r.known[at] = r.judged(at)
	return r.known[at]
}

// fill sets the Gram matrix.
func (r *basisRater) fill(at place) bool {
	if r.ready && r.filled.noise <= at.noise && r.filled.moved(0, at.noise-r.filled.noise) == at {
		return true
	}
	r.factor, r.filled = false, at
	sample := r.problem.sample.Between(0, r.n)
	r.ready = r.basis(r.gram, r.problem.kernel(at), r.problem.noise(at)/r.problem.weights.Between(0, r.n).Most(), sample)
	return r.ready
}
