package doublysgd

import (
	"cmp"
	"math"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/loss"
)

// What is not given is searched for on a part of the rows, with one block of
// features: the bandwidth, and for each bandwidth the ridge, from the largest down
// while the loss on rows held out falls.
const (
	searchRows    = 8000 // at most, to train on
	coarseRows    = 4000 // the same, for the coarse steps
	searchHeldOut = 5000 // at most, to compare by
	searchColumns = 2048
	largestRidge  = 1e-1 // ridges, in units of the mean of k(x, x)
	smallestRidge = 1e-10
	patience      = 2 // ridges without gain
	coarseStep    = 2 // factors between bandwidths
	fineStep      = math.Sqrt2
)

// search returns the kernel and the ridge that do best. If the fit is stopped it
// returns the best so far.
func search(w *run, order []int) hyperparameters {
	fine := newSample(w, order, searchRows)
	if w.options.Kernel != nil {
		return fine.answer(fine.bestRidge(1, largestRidge*w.unit))
	}
	coarse := newSample(w, order, coarseRows)
	best := choose.Walk(coarse.bestRidge(1, largestRidge*w.unit), coarseStep, coarse.beside, w.monitor.Stopped)
	return fine.answer(choose.Walk(fine.beside(best.Factor, best), fineStep, fine.beside, w.monitor.Stopped))
}

// sample is a part of the rows on which kernels and ridges are compared. What is noted
// of a candidate is about the size of the derivative of the loss.
type sample struct {
	*task
	visited func(phase string, v *revisit)
	unit    float64
	order   []int
	train   int
	columns int
	// substitute says that a smooth loss stands for one with kinks, whose ridge is
	// to be chosen.
	substitute bool
}

type candidate = choose.Candidate[float64]

// newSample takes so many rows to train on, and rows held out.
func newSample(w *run, order []int, rows int) *sample {
	s := &sample{task: w.smooth(), visited: w.visited, unit: w.unit, train: min(rows, 2*len(order)/3), substitute: loss.Kinked(w.loss) && w.options.Ridge == 0}
	s.order = order[:min(s.train+searchHeldOut, len(order))]
	s.columns = min(searchColumns, batches.RoundUp(2*s.train, 64))
	if w.options.Features > 0 {
		s.columns = min(s.columns, batches.RoundUp(w.options.Features, 2))
	}
	return s
}

// answer returns the hyperparameters for the loss that is asked for: one with kinks has
// derivatives of about 1 where the smooth one in its place has small ones, and the
// ridge weighs against these.
func (s *sample) answer(best candidate) hyperparameters {
	if best.Detail > 0 && s.substitute {
		best.Ridge /= min(1, max(best.Detail, 1e-3))
	}
	return hyperparameters{s.bandwidth.Times(best.Factor), best.Ridge}
}

// beside takes a multiple of the bandwidth near that of another candidate.
func (s *sample) beside(factor float64, best candidate) candidate {
	return s.bestRidge(factor, min(100*best.Ridge, largestRidge*s.unit))
}

// bestRidge returns the best ridge, of those up to the first, for a multiple of the
// bandwidth.
func (s *sample) bestRidge(factor, first float64) candidate {
	start := choose.Unrated[float64](factor, cmp.Or(s.options.Ridge, 1e-6*s.unit))
	v, err := newRevisit(s.task, hyperparameters{s.bandwidth.Times(factor), start.Ridge}, s.order, s.train, s.columns)
	if err != nil {
		return start
	}
	v.function.Grow(1)
	last := smallestRidge * s.unit
	if s.options.Ridge > 0 {
		first, last = s.options.Ridge, s.options.Ridge
	}
	curve := choose.Curve[float64](func(ridge float64) (criterion, derivative float64) {
		v.ridge = ridge
		for range s.visitsEach() {
			v.visit(0)
			s.visited("search", v)
			v.advance()
		}
		return v.criterion(), math.Sqrt(2 * v.meanLoss())
	})
	best, _ := curve.Ladder(start, choose.Falling(first, last), patience, s.monitor.Stopped)
	return best
}

// visitsEach is the number of visits for each ridge: for the squared loss one is
// exact.
func (s *sample) visitsEach() int {
	if loss.Quadratic(s.loss) {
		return 1
	}
	return 5
}
