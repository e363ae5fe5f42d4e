package choose

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// enlargedOuterSteps is the number of full metrics on the larger sample, at most.
const enlargedOuterSteps = 5

// fullMetric returns the best place with a full metric that outer products of gradients lead
// to from a place, smoothed, or nil if they gain nothing there. The sample of the search is
// often too small for a matrix, which has many more elements than there are columns.
func (e *enlarged) fullMetric(from place) *rating {
	if e.problem.families[from.family] == LaplacianByColumns {
		return nil
	}
	best := e.fixedPoint(from.smooth())
	if best == nil {
		return nil
	}
	from.scale = best.scale
	if found := e.rate(from); better(found, best) {
		return found
	}
	return best
}

// fixedPoint is that of metricSearch at the bandwidth and the noise of the place, and goes on
// as long as each metric is better than the one before.
func (e *enlarged) fixedPoint(at place) (best *rating) {
	s, ok := e.solve(at)
	if !ok {
		return nil
	}
	last := e.judged(s)
	for range enlargedOuterSteps {
		l := e.problem.outer(at, e.inBandwidths(at), s.a, e.weights, e.workers)
		if l.matrix.Rows == 0 {
			break
		}
		at.scale = e.problem.add(l, e.workers)
		if s, ok = e.solve(at); !ok {
			break
		}
		rated := e.judged(s)
		if !better(rated, last) {
			break
		}
		best, last = rated, rated
	}
	return best
}

// inBandwidths returns the rows to learn from in the scale of a place, in bandwidths of it.
func (e *enlarged) inBandwidths(at place) compute.Matrix {
	u := e.problem.scales[at.scale].apply(fromFirst(e.x.Matrix), e.workers)
	floats.Scale(1/e.problem.bandwidth(at), u.Data)
	return u
}
