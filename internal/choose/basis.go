package choose

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A Basis, of random features, landmarks or points, makes a kernel of its own of a given
// one. It sets dst to the Gram matrix of that kernel between the rows x, or reports that
// it has nothing for the kernel. With Z for the features of the rows, dst is Z·Zᵀ.
type Basis func(dst compute.Matrix, k kernel.Kernel, x compute.Matrix) bool

// basisNoises is the number of steps towards larger noises that a basis may take: what
// it does not carry of the function is noise to it.
const basisNoises = 3

// carried returns the trial that does best with a basis, among the best place of each
// family, or nil without a basis or if none was rated. The error is that of the basis; the
// simpler family is taken that is worse by half a standard error at most.
func (t *search) carried(st *stage, basis Basis) *kernel.Trial {
	if basis == nil {
		return nil
	}
	var list []*rating
	r := st.take(t.workers)
	r.full = false
	for _, from := range t.bestOfFamilies() {
		if best := r.onBasis(from, basis); best != nil {
			list = append(list, best)
		}
	}
	list = ranked(list)
	if len(list) == 0 {
		return nil
	}
	best := list[0]
	for _, other := range list {
		if other.family < best.family && other.within(familyErrors, list[0]) {
			best = other
		}
	}
	trial := st.trial(best)
	trial.StandardError = standardError(best.loss, list[0].loss)
	return &trial
}

// bestOfFamilies returns the best place of each family, as rated on the most rows that
// it was rated on.
func (t *search) bestOfFamilies() []place {
	list := make([]place, 0, len(t.problem.families))
	for family := range t.problem.families {
		for _, st := range []*stage{t.final, t.fine, t.coarse} {
			ratings := st.ratings()
			at := slices.IndexFunc(ratings, func(r *rating) bool { return r.family == family && r.loss != nil })
			if at >= 0 {
				list = append(list, ratings[at].place)
				break
			}
		}
	}
	return list
}

// onBasis returns the best rating with a basis of a place and of larger noises, or nil.
func (r *rater) onBasis(at place, basis Basis) *rating {
	if r.watch.stopped() || !basis(r.gram, r.problem.kernel(at), compute.Rows(r.problem.sample, 0, r.n)) {
		return nil
	}
	var best *rating
	for step := 0; step <= basisNoises && !r.watch.stopped(); step++ {
		next := at.moved(0, step)
		if !r.problem.allowed(next) {
			break
		}
		rated := r.judged(next)
		if rated.loss == nil {
			continue
		}
		if !better(rated, best) {
			break
		}
		best = rated
	}
	return best
}
