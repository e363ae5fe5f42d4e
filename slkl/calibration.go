package slkl

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
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
		held := rows.pick(&buffer, set)
		train, problems := f.refit(held, product, weights)
		all = all.With(f.predict(held, train, problems))
	}
	return all
}

// refit solves without the held-out rows.
func (f *fit) refit(held task, product []float64, weights []compute.Matrix) (*moments, []*lasso.Problem) {
	train := newMoments(f.columns.count(), held.y.Cols)
	for from, c := range f.columns.blocks(&f.buffer, held.x) {
		part := held.between(from, from+c.Rows)
		train.add(c, compute.Clone(part.y), part.weights, f.settings.Workers)
	}
	f.total.without(train)
	d := &fold{train: train, sums: train.intoSums(!f.settings.NoIntercept)}
	if f.noise > 0 {
		d.sums.AddNorm(f.gram, f.noise)
	}
	problems := f.settings.problems(d.sums, cvIterations)
	compute.Parallel(len(problems), f.settings.Workers, func(i int) {
		nu := d.share(product[i], f.total.n)
		problems[i].Start(weights[i], nu)
		problems[i].Solve(nu, cvTolerance, f.monitor.Quiet())
	})
	return train, problems
}

// predict returns the predictions of the held-out rows by solutions on rows with moments train.
func (f *fit) predict(held task, train *moments, problems []*lasso.Problem) calibrate.Sample {
	sample := held.sample()
	constant := make([]float64, held.y.Cols)
	if !f.settings.NoIntercept {
		copy(constant, train.meanY)
		solution{set: f.columns.all(), meanC: train.meanC, problems: problems}.subtractMeans(constant)
	}
	compute.AddRow(sample.Scores, constant)
	for from, c := range f.columns.blocks(&f.buffer, held.x) {
		scores := compute.Rows(sample.Scores, from, from+c.Rows)
		for _, p := range problems {
			compute.MulNN(p.Outputs(scores), c, p.W, f.settings.Workers)
		}
	}
	return sample
}

// refitSample returns out-of-sample predictions with LowMemory, where each set needs a fit.
func refitSample(s *settings, cols *columns, k task, r *monitor.Monitor) (all calibrate.Sample) {
	n := k.x.Rows
	first := k.x.FirstCopies(k.y, k.classes)
	for _, set := range calibrate.Sets(n, n, k.classes, calibrate.Refits(calibrate.MostSets), s.Seed, first) {
		rest, held := k.pick(new(compute.Points), calibrate.Others(n, set)), k.pick(new(compute.Points), set)
		ratio := rest.weights.Total(rest.x.Rows) / k.weights.Total(n)
		own := *s
		own.Penalty *= ratio * ratio
		m, err := newWorkingSet(&own, cols, rest, r).fit()
		if err != nil {
			return calibrate.Sample{}
		}
		sample := held.sample()
		_ = m.sum.EvalTo(sample.Scores, held.x)
		all = all.With(sample)
	}
	return all
}
