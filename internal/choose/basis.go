package choose

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

// carried scores the best candidate of each family with a basis and returns the best
// rating with its trial. It returns nil without a basis or if no candidate was scored.
// The standard error is relative to the basis. A simpler family wins if it is worse by
// at most half a standard error.
func (t *search) carried(st *stage, contenders []contender, basis Basis, narrower bool) (best *rating, trial kernel.Trial) {
	if basis == nil {
		return nil, trial
	}
	var list []*rating
	r := &basisRater{rater: st.take(t.workers), basis: basis, known: map[place]*rating{}, turns: map[place]int{}}
	r.full = false
	defer st.pool.give(r.rater)
	for _, from := range contenders {
		// A basis does no better than the exact kernel.
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

// beyond is the margin in score, a hundredth of the error, by which the exact score of
// a family may exceed the best score with a basis before the search skips it.
const beyond = 0.01

// contender is the best candidate of a family with its score on the rows of the last stage.
type contender struct {
	place
	score float64
}

// bestOfFamilies returns the best candidate of each family, best first, as scored on
// the most rows. A family that was dropped early gets the final score of the winner plus
// its distance to the winner on the smaller sample. Scales that multiply columns by
// their deviation are excluded unless the rule selected one.
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

// bestOf returns the best allowed rating of a family, or nil if it has no prediction.
func (s *stage) bestOf(family int, allowed func(r *rating) bool) *rating {
	return s.bestWhere(func(r *rating) bool { return r.family == family && allowed(r) })
}

// basisMoves are the steps to try: half the bandwidth with the same or ten times the
// noise, and if these do not help, twice the bandwidth.
var basisMoves = [][][2]int{{{-2, 0}, {-2, 2}}, {{2, 0}}}

const basisRounds = 6 // maximum number of steps in one direction

// basisRater scores candidates with a basis and caches the results. Different noises share a Gram matrix.
type basisRater struct {
	*rater
	basis  Basis
	filled place // candidate of the Gram matrix, valid for this noise and larger ones
	ready  bool  // whether the Gram matrix is set
	known  map[place]*rating
	turns  map[place]int // by kernel, with noise 0: the noise from which the score rises
}

// onBasis returns the best rating with a basis at the given kernel or, if narrower
// kernels may do better, along steps of the bandwidth. It returns nil if there is none.
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

// noises returns the best rating of a candidate among its own and larger noises, or nil.
// It stops when the score rises and remembers that noise for the kernel. With a rival it
// also stops if extrapolating the last decrease linearly does not reach the rival's
// score: the decrease slows down with each step.
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

// rate returns the rating of a candidate. It returns nil outside of the grid, if the
// basis cannot represent the kernel, and after the search was stopped.
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

// fill sets the Gram matrix and returns false if the basis cannot represent the kernel.
func (r *basisRater) fill(at place) bool {
	if r.ready && r.filled.noise <= at.noise && r.filled.moved(0, at.noise-r.filled.noise) == at {
		return true
	}
	r.factor, r.filled = false, at
	sample := r.problem.sample.Between(0, r.n)
	r.ready = r.basis(r.gram, r.problem.kernel(at), r.problem.noise(at)/r.problem.weights.Between(0, r.n).Most(), sample)
	return r.ready
}
