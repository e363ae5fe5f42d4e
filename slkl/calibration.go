package slkl

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// sample returns a calibration sample without scores.
func (k task) sample() calibrate.Sample {
	s := calibrate.Sample{Scores: compute.NewMatrix(k.x.Rows, k.y.Cols), Class: k.classes, Weights: k.weights}
	if k.classes == nil {
		s.X, s.Targets = k.x.Clone(), k.y
	}
	return s
}

// outOfSample returns out-of-sample predictions of rows, which are all rows of the fit or a sample.
// It removes the moments of sets of rows from the total and solves for lam·nu of each problem,
// starting from the weights of the model.
func (f *fit) outOfSample(rows task, product []float64, weights []compute.Matrix) (all calibrate.Sample) {
	var buffer compute.Points
	first := rows.x.FirstCopies(rows.y, rows.classes)
	for _, set := range calibrate.Sets(rows.x.Rows, f.total.rows, rows.classes, calibrate.Cheap, f.settings.Seed, first) {
		if f.monitor.Stopped() {
			return calibrate.Sample{}
		}
		heldOut := rows.pick(&buffer, set)
		all = all.With(f.predict(heldOut, f.refit(heldOut, product, weights)))
	}
	return all
}

// refit solves without the held-out rows.
func (f *fit) refit(heldOut task, product []float64, weights []compute.Matrix) *fold {
	train := newMoments(f.columns.count(), heldOut.y.Cols)
	for from, c := range f.columns.blocks(&f.buffer, heldOut.x) {
		part := heldOut.between(from, from+c.Rows)
		train.add(c, compute.Clone(part.y), part.weights, f.settings.Workers)
	}
	f.total.without(train)
	d := f.newFold(train, nil, cvIterations)
	if f.noise > 0 {
		d.sums.AddNorm(f.gram, f.noise)
	}
	compute.Parallel(len(d.problems), f.settings.Workers, func(i int) {
		nu := d.share(product[i])
		d.problems[i].Start(weights[i], nu)
		d.problems[i].Solve(nu, cvTolerance, f.monitor.Quiet())
	})
	return d
}

// predict returns the predictions of the held-out rows by the problems of d.
func (f *fit) predict(heldOut task, d *fold) calibrate.Sample {
	sample := heldOut.sample()
	w := solution{set: f.columns.all(), meanC: d.train.meanC, meanY: d.train.meanY, problems: d.problems}
	compute.AddRow(sample.Scores, w.intercept())
	for from, c := range f.columns.blocks(&f.buffer, heldOut.x) {
		scores := compute.Rows(sample.Scores, from, from+c.Rows)
		for _, p := range d.problems {
			compute.MulNN(p.Outputs(scores), c, p.W, f.settings.Workers)
		}
	}
	return sample
}

// refitSample returns out-of-sample predictions with LowMemory, where each set needs a fit.
func refitSample(s *settings, cols *columns, k task, r *progress.Monitor) (all calibrate.Sample) {
	n := k.x.Rows
	first := k.x.FirstCopies(k.y, k.classes)
	for _, set := range calibrate.Sets(n, n, k.classes, calibrate.Refits(calibrate.MostSets), s.Seed, first) {
		rest, heldOut := k.pick(new(compute.Points), calibrate.Others(n, set)), k.pick(new(compute.Points), set)
		ratio := rest.weights.Total(rest.x.Rows) / k.weights.Total(n)
		own := *s
		own.Penalty *= ratio * ratio
		m, err := newWorkingSet(&own, cols, rest, r).fit()
		if err != nil {
			return calibrate.Sample{}
		}
		sample := heldOut.sample()
		_ = m.sum.EvalTo(sample.Scores, heldOut.x)
		all = all.With(sample)
	}
	return all
}
