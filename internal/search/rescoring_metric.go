package search

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// rescoringOuterSteps is the maximum number of full metrics learned on the larger sample.
const rescoringOuterSteps = 5

// fullMetric learns a full metric by outer products of gradients, starting from a
// smoothed candidate, and returns the best trial or nil. The search sample is often too
// small to fit a matrix.
func (e *rescoring) fullMetric(from candidate) *trial {
	d := e.problem.rows[from.scale].Cols
	if e.problem.families[from.family] == LaplacianByColumns || d > min(mostMetricColumns, e.outerRows(d)) {
		return nil
	}
	best := e.fixedPoint(from.smooth())
	if best == nil {
		return nil
	}
	from.scale = best.scale
	if found := e.score(from); better(found, best) {
		return found
	}
	return best
}

// fixedPoint iterates as metricSearch.fixedPoint, with fixed bandwidth and noise, as long
// as each metric improves on the previous one.
func (e *rescoring) fixedPoint(at candidate) (best *trial) {
	s, ok := e.solve(at)
	if !ok {
		return nil
	}
	last := e.scorePrediction(s)
	for range rescoringOuterSteps {
		l := e.problem.outer(at, e.outerProducts(s), e.workers)
		if l.matrix.Rows == 0 {
			break
		}
		at.scale = e.problem.add(l, e.workers)
		if s, ok = e.solve(at); !ok {
			break
		}
		scored := e.scorePrediction(s)
		if !better(scored, last) {
			break
		}
		best, last = scored, scored
	}
	return best
}

// outerRows returns the number of rows for which gradients by d columns cost no more than the factor.
func (e *rescoring) outerRows(d int) int {
	n := e.y.Rows
	return min(n, n*n/(6*(d+1)*e.y.Cols))
}

// gradientRows is the number of rows per chunk of gradients.
const gradientRows = 512

// outerProducts returns the sum of outer products of the gradients of a solution at its first rows.
func (e *rescoring) outerProducts(s solution) compute.Matrix {
	u, family := e.inBandwidths(s.at), e.problem.families[s.at.family]
	g := compute.NewMatrix(u.Cols, u.Cols)
	for from, to := range compute.Chunks(e.outerRows(u.Cols), gradientRows) {
		AddOuterProducts(g, compute.Rows(u, from, to), u, s.a, e.weights.Between(from, to), family, e.workers)
	}
	compute.Mirror(g)
	return g
}

// inBandwidths returns the training rows in the scale of a candidate, divided by its bandwidth.
func (e *rescoring) inBandwidths(at candidate) compute.Matrix {
	u := e.problem.scales[at.scale].apply(e.x.Matrix, e.workers)
	floats.Scale(1/e.problem.bandwidth(at), u.Data)
	return u
}
