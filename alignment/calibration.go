package alignment

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// outOfSample returns what fits of a task predict at rows that they do not see; predict learns
// from some examples and returns the scores of others, or false.
func outOfSample(t *task, s *settings, r *monitor.Monitor, predict func(learn, held examples) (compute.Matrix, bool)) (all calibrate.Sample) {
	n := t.all.x.Rows
	if s.Uncalibrated {
		return all
	}
	for _, set := range calibrate.Sets(n, n, t.all.class, calibrate.Refits(calibrate.MostSets), s.Seed, compute.DensePoints(t.all.x).FirstCopies(t.all.y, t.all.class)) {
		held := t.all.pick(set)
		scores, ok := predict(t.all.pick(calibrate.Others(n, set)), held)
		if !ok || r.Stopped() {
			return calibrate.Sample{}
		}
		sample := calibrate.Sample{X: compute.DensePoints(held.x), Scores: scores, Class: held.class, Weights: held.weights}
		if held.class == nil {
			sample.Targets = held.y
		}
		all = all.With(sample)
	}
	return all
}

// leftOutRows is the number of rows up to which each is left out of an exact solution: of more, fewer are
// enough, and a solution without some takes less.
const leftOutRows = calibrate.MostRows

// otherRidges returns what ridge regressions on a kernel predict of rows that they do not see: one like g, of f, for each
// row, or outOfSample.
func otherRidges(f *ridge, g *solution, t *task, s *settings, r *monitor.Monitor) calibrate.Sample {
	if f.factor != nil && f.x.Rows <= leftOutRows && !s.Uncalibrated && !r.Stopped() {
		return f.leftOut(g)
	}
	k, weight := f.kernel.Kernel, g.report.Ridge
	f.factor = nil
	return outOfSample(t, s, r, func(learn, held examples) (compute.Matrix, bool) {
		f := newRidge(k, learn, s, r)
		g, err := f.fit(weight)
		if err != nil || g == nil {
			return compute.Matrix{}, false
		}
		return f.predict(g, held.x), true
	})
}

// otherMachines returns outOfSample of support vector machines on a kernel.
func otherMachines(k kernel.Kernel, c float64, count int, t *task, s *settings, r *monitor.Monitor) calibrate.Sample {
	return outOfSample(t, s, r, func(learn, held examples) (compute.Matrix, bool) {
		f := newMachines(k, learn, count, s)
		list, err := f.path(r.Context(), c, 0)
		if err != nil || len(list) == 0 {
			return compute.Matrix{}, false
		}
		pairs := count * (count - 1) / 2
		weights, scores := compute.NewMatrix(learn.x.Rows, pairs), compute.NewMatrix(held.x.Rows, pairs)
		intercept := list[len(list)-1].Coefficients(weights)
		gram.Evaluator{Kernel: k, Workers: s.Workers}.Mul(scores, held.x, learn.x, weights)
		compute.AddRow(scores, intercept)
		return scores, true
	})
}
