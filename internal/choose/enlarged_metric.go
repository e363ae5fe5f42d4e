package choose

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// enlargedOuterSteps is the number of full metrics on the larger sample, at most.
const enlargedOuterSteps = 5

// fullMetric returns the best place with a full metric that outer products of gradients lead
// to from a place, or nil if they gain nothing. The sample of the search is often too small for a
// matrix, which has many more elements than there are columns.
func (e *enlarged) fullMetric(from place) *rating {
	d := e.problem.rows[from.scale].Cols
	if e.problem.families[from.family] == LaplacianByColumns || d > min(mostMetricColumns, e.outerRows(d)) {
		return nil
	}
	return e.fixedPoint(from.smooth(), from)
}

// fixedPoint is that of metricSearch at the bandwidth and the noise of a smooth place, and goes on
// as long as each metric is better than the one before there or at the place itself: the gradients
// of a narrow kernel say little, but it may gain by a metric where a smooth one does not.
func (e *enlarged) fixedPoint(smooth, from place) (best *rating) {
	s, ok := e.solve(smooth)
	if !ok {
		return nil
	}
	last, narrow := e.judged(s), e.rate(from)
	for range enlargedOuterSteps {
		l := e.problem.outer(smooth, e.outerProducts(s), e.workers)
		if l.matrix.Rows == 0 {
			break
		}
		smooth.scale = e.problem.add(l, e.workers)
		from.scale = smooth.scale
		if s, ok = e.solve(smooth); !ok {
			break
		}
		next, there := e.judged(s), e.rate(from)
		gains := false
		if better(next, last) {
			last, gains = next, true
		}
		if better(there, narrow) {
			narrow, gains = there, true
		}
		if !gains {
			break
		}
		for _, r := range []*rating{last, narrow} {
			if r != nil && r.scale == smooth.scale && better(r, best) {
				best = r
			}
		}
	}
	return best
}

// outerRows returns the number of rows whose gradients by d columns take no longer than the factor.
func (e *enlarged) outerRows(d int) int {
	n := e.x.Rows
	return min(n, n*n/(6*(d+1)*e.y.Cols))
}

// outerProducts returns those of the gradients of a solution, at the first of its rows.
func (e *enlarged) outerProducts(s solution) compute.Matrix {
	u, family := e.inBandwidths(s.at), e.problem.families[s.at.family]
	rows := e.outerRows(u.Cols)
	if rows == u.Rows {
		return outerProducts(u, s.a, e.weights, family, e.workers)
	}
	g := compute.NewMatrix(u.Cols, u.Cols)
	AddOuterProducts(g, compute.Rows(u, 0, rows), u, s.a, e.weights.Between(0, rows), family, e.workers)
	compute.Mirror(g)
	return g
}

// inBandwidths returns the rows to learn from in the scale of a place, in bandwidths of it.
func (e *enlarged) inBandwidths(at place) compute.Matrix {
	u := e.problem.scales[at.scale].apply(e.x.Matrix, e.workers)
	floats.Scale(1/e.problem.bandwidth(at), u.Data)
	return u
}
