package search

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// fixedPoint repeatedly learns a metric from the gradients at a candidate and moves to it,
// with fixed bandwidth and noise, as long as the trial improves. It then refines
// bandwidth and noise and returns the best trial, or nil.
func (m *metricSearch) fixedPoint(at candidate) *trial {
	var best *trial
	for range outerSteps {
		l := m.outer(at)
		if l.matrix.Rows == 0 || m.counter.stopped() {
			break
		}
		next := at
		next.scale = m.problem.add(l, m.workers)
		scored := m.trainingScorer.score(next)
		if !better(scored, best) {
			break
		}
		best, at = scored, next
	}
	if best == nil {
		return nil
	}
	return m.trainingScorer.refine(best.candidate)
}

// outer returns the metric learned from the gradients at a candidate.
func (m *metricSearch) outer(at candidate) linear {
	r := m.trainingScorer
	r.fill(at)
	y := compute.Rows(m.problem.y, 0, m.training.n)
	if !r.factorise(at, y) {
		return linear{}
	}
	if m.rank > 0 {
		return m.lowRank(at)
	}
	g := outerProducts(m.inBandwidths(at, m.training.n), r.left.py, m.problem.weights.Between(0, m.training.n), m.problem.families[at.family], m.workers)
	return m.problem.outer(at, g, m.workers)
}

// outer returns the metric that corresponds to the outer products g of gradients at a candidate.
func (p *problem) outer(at candidate, g compute.Matrix, workers int) linear {
	before := p.scales[at.scale]
	// g refers to mapped rows. For divided rows it is LᵀGL.
	if l := before.matrix; l.Rows > 0 {
		t, whole := compute.NewMatrix(g.Rows, l.Cols), compute.NewMatrix(l.Cols, l.Cols)
		compute.MulNN(t, g, l, workers)
		compute.MulTN(whole, l, t, workers)
		g = whole
	}
	return linear{columns: before.columns, divide: before.divide, matrix: FourthRoot(g), learned: true}
}

// mix improves the matrix of a candidate by descent of the leave-one-out error.
func (m *metricSearch) mix(at candidate) candidate {
	n := min(m.training.n, longWeightRows)
	u := m.inBandwidths(at, n)
	r := u.Cols
	of := newMixing(u, compute.Rows(m.problem.y, 0, n), m.problem.weights.Between(0, n), m.problem.families[at.family], m.workers)
	value := func(at, gradient []float64) float64 {
		m.counter.add(weightWork(n, r))
		return of.value(at, gradient)
	}
	e := make([]float64, r*r+1)
	for i := range r {
		e[i*(r+1)] = 1
	}
	e[r*r] = logOne(m.problem.noise(at))
	d := descent{value: value, steps: mixSteps, enough: leastGain, first: firstMix, longest: longestMix, stopped: m.counter.stopped}
	d.minimise(e)
	before := m.problem.scales[at.scale]
	l := compute.NewMatrix(r, before.matrix.Cols)
	compute.MulNN(l, compute.Matrix{Rows: r, Cols: r, Stride: r, Data: e[:r*r]}, before.matrix, m.workers)
	floats.Scale(1/m.problem.bandwidth(at), l.Data)
	return m.nearest(linear{columns: before.columns, divide: before.divide, matrix: l, learned: true}, at.family, 1, compute.ExpOne(e[r*r]))
}
