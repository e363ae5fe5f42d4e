package alignment

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// predictor fits to some examples and predicts others. It returns false if it failed.
type predictor func(train, heldOut examples) (scores compute.Matrix, ok bool)

// unseen returns predictions of held-out rows, each set by a fit to all other rows.
func (r *run) unseen(t *task, predict predictor) (all calibrate.Sample) {
	n := t.all.x.Rows
	if r.options.Uncalibrated || r.monitor.Stopped() {
		return all
	}
	for _, set := range calibrate.Sets(n, n, t.all.class, calibrate.Refits(calibrate.MostSets), r.options.Seed, t.all.firstCopies()) {
		heldOut := t.all.pick(set)
		scores, ok := predict(t.all.pick(calibrate.Others(n, set)), heldOut)
		if !ok || r.monitor.Stopped() {
			return calibrate.Sample{}
		}
		sample := calibrate.Sample{X: compute.DensePoints(heldOut.x), Scores: scores, Class: heldOut.class, Weights: heldOut.weights}
		if heldOut.class == nil {
			sample.Targets = heldOut.y
		}
		all = all.With(sample)
	}
	return all
}

// unseenByRidge returns leave-one-out predictions of an exact solution g of f, or those of
// unseen. Leave-one-out needs O(n) memory besides the factor, while every other fit needs
// another Gram matrix.
func (r *run) unseenByRidge(t *task, f *ridge, g *solution) calibrate.Sample {
	if f.factor != nil && f.x.Rows <= calibrate.MostRows && !r.options.Uncalibrated && !r.monitor.Stopped() {
		return f.leaveOneOut(g)
	}
	kernel, weight := f.kernel.Kernel, g.report.Ridge
	f.factor = nil
	return r.unseen(t, func(train, heldOut examples) (compute.Matrix, bool) {
		f := newRidge(r, kernel, train)
		g, err := f.fit(weight)
		if err != nil {
			return compute.Matrix{}, false
		}
		return f.predict(g, heldOut.x), true
	})
}
