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
	d := e.problem.rows[from.scale].Cols
	if e.problem.families[from.family] == LaplacianByColumns || d > min(mostMetricColumns, e.outerRows(d)) {
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
		l := e.problem.outer(at, e.outerProducts(s), e.workers)
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

// outerRows returns the number of rows whose gradients by d columns take no longer than the factor.
func (e *enlarged) outerRows(d int) int {
	n := e.y.Rows
	return min(n, n*n/(6*(d+1)*e.y.Cols))
}

// gradientRows is the number of rows whose gradients are taken at a time.
const gradientRows = 512

// outerProducts returns those of the gradients of a solution, at the first of its rows.
func (e *enlarged) outerProducts(s solution) compute.Matrix {
	u, family := e.inBandwidths(s.at), e.problem.families[s.at.family]
	g := compute.NewMatrix(u.Cols, u.Cols)
	for from, to := range compute.Chunks(e.outerRows(u.Cols), gradientRows) {
		AddOuterProducts(g, compute.Rows(u, from, to), u, s.a, e.weights.Between(from, to), family, e.workers)
	}
	compute.Mirror(g)
	return g
}

// inBandwidths returns the rows to learn from in the scale of a place, in bandwidths of it.
func (e *enlarged) inBandwidths(at place) compute.Matrix {
	u := e.problem.scales[at.scale].apply(e.x.Matrix, e.workers)
	floats.Scale(1/e.problem.bandwidth(at), u.Data)
	return u
}
