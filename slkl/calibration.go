package slkl

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// pick returns some rows.
func (k task) pick(rows []int) task {
	return task{x: k.x.Pick(rows), y: compute.Pick(k.y, rows), weights: k.weights.Pick(rows), classes: compute.PickOf(k.classes, rows)}
}

// sample has no scores yet.
func (k task) sample() calibrate.Sample {
	s := calibrate.Sample{Scores: compute.NewMatrix(k.x.Rows, k.y.Cols), Class: k.classes, Weights: k.weights}
	if k.classes == nil {
		s.Targets = k.y
	}
	return s
}

// outOfSample returns what solutions like the one found, for lam·nu of each problem, predict at
// rows that they were not learned from: rows are a sample of all, or all, and the moments of
// some are taken out of those of all.
func (f *fit) outOfSample(rows task, product []float64) (all calibrate.Sample) {
	for _, set := range calibrate.Sets(rows.x.Rows, f.total.rows, rows.classes, calibrate.MostSets, f.settings.Seed) {
		if f.monitor.Stopped() {
			return calibrate.Sample{}
		}
		all = all.With(f.without(rows.pick(set), product))
	}
	return all
}

// without solves without some rows, and predicts them.
func (f *fit) without(held task, product []float64) calibrate.Sample {
	c := compute.NewMatrix(held.x.Rows, f.columns.count())
	f.columns.fill(c, held.x, f.columns.all())
	part := newMoments(f.columns.count(), held.y.Cols)
	part.add(compute.Clone(c), compute.Clone(held.y), held.weights, f.settings.Workers)
	train := f.total.without(part)
	d := &fold{train: train, sums: train.sums(!f.settings.NoIntercept)}
	if f.noise > 0 {
		d.sums.AddNorm(f.gram, f.noise)
	}
	method := f.settings.method()
	if method.Iterations == 0 {
		method.Iterations = cvIterations
	}
	problems := d.sums.Problems(f.settings.Shared, method, f.settings.Workers)
	compute.Parallel(len(problems), f.settings.Workers, func(i int) {
		nu := d.share(product[i], f.total.n)
		problems[i].Start(f.problems[i].W, nu)
		problems[i].Solve(nu, cvTolerance, f.monitor.Quiet())
	})
	return d.predict(held, c, problems, f.settings)
}

// predict returns what solutions on the rows outside of the fold predict at its own, of which c
// are the columns.
func (d *fold) predict(held task, c compute.Matrix, problems []*lasso.Problem, s *settings) calibrate.Sample {
	sample := held.sample()
	constant := make([]float64, held.y.Cols)
	w := solution{set: compute.Indices(c.Cols), meanC: d.train.meanC, problems: problems}
	if !s.NoIntercept {
		copy(constant, d.train.meanY)
		w.subtractMeans(constant)
	}
	compute.AddRow(sample.Scores, constant)
	for _, p := range problems {
		compute.MulNN(compute.Columns(sample.Scores, p.Output, p.Output+p.W.Cols), c, p.W, s.Workers)
	}
	return sample
}

// without returns the moments of the rows of s that are not those of t, which are among them.
func (s *moments) without(t *moments) *moments {
	r := newMoments(len(s.meanC), len(s.meanY))
	r.merge(s)
	r.rows, r.n = s.rows-t.rows, s.n-t.n
	dc, dy := make([]float64, len(s.meanC)), make([]float64, len(s.meanY))
	for i, v := range t.meanC {
		dc[i] = (v - s.meanC[i]) * s.n / r.n
		r.meanC[i] -= t.n / s.n * dc[i]
	}
	for o, v := range t.meanY {
		dy[o] = (v - s.meanY[o]) * s.n / r.n
		r.meanY[o] -= t.n / s.n * dy[o]
		r.yy[o] -= t.yy[o] + float64(t.n*r.n/s.n*dy[o]*dy[o])
	}
	for i := range r.cc.Rows {
		blas64.Axpy(-1, compute.Vector(compute.Row(t.cc, i)[i:]), compute.Vector(compute.Row(r.cc, i)[i:]))
		blas64.Axpy(-1, compute.RowVector(t.cy, i), compute.RowVector(r.cy, i))
	}
	r.outer(-t.n*r.n/s.n, dc, dy)
	return r
}

// outOfSampleInLittle is outOfSample for the option LowMemory: each set takes a fit of its own.
func outOfSampleInLittle(s *settings, cols *columns, k task, r *monitor.Monitor) (all calibrate.Sample) {
	n := k.x.Rows
	for _, set := range calibrate.Sets(n, n, k.classes, calibrate.MostSets, s.Seed) {
		rest, held := k.pick(calibrate.Others(n, set)), k.pick(set)
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
