package slkl

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// pick returns some rows.
func (k task) pick(rows []int) task { return k.pickTo(new(compute.Points), rows) }

// pickTo is pick in memory of other rows.
func (k task) pickTo(x *compute.Points, rows []int) task {
	k.x.PickTo(x, rows)
	return task{x: *x, y: compute.Pick(k.y, rows), weights: k.weights.Pick(rows), classes: compute.PickOf(k.classes, rows)}
}

// sample has no scores yet.
func (k task) sample() calibrate.Sample {
	s := calibrate.Sample{Scores: compute.NewMatrix(k.x.Rows, k.y.Cols), Class: k.classes, Weights: k.weights}
	if k.classes == nil {
		s.X, s.Targets = k.x.Clone(), k.y
	}
	return s
}

// outOfSample returns what solutions like the one found, for lam·nu of each problem, predict at
// rows that they were not learned from: rows are a sample of all, or all, and the moments of
// some are taken out of those of all.
func (f *fit) outOfSample(rows task, product []float64) (all calibrate.Sample) {
	var held compute.Points // memory of one set after the other
	for _, set := range calibrate.Sets(rows.x.Rows, f.total.rows, rows.classes, calibrate.Cheap, f.settings.Seed, rows.x.FirstCopies(rows.y, rows.classes)) {
		if f.monitor.Stopped() {
			return calibrate.Sample{}
		}
		all = all.With(f.without(rows.pickTo(&held, set), product))
	}
	return all
}

// without solves without some rows, and predicts them.
func (f *fit) without(held task, product []float64) calibrate.Sample {
	part := newMoments(f.columns.count(), held.y.Cols)
	f.inBlocks(held, func(c compute.Matrix, from, to int) {
		part.add(c, compute.Clone(compute.Rows(held.y, from, to)), held.weights.Between(from, to), f.settings.Workers)
	})
	train := f.total.less(part)
	d := &fold{train: train, sums: train.intoSums(!f.settings.NoIntercept)}
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
	return f.predict(held, d.train, problems)
}

// inBlocks calls visit with the columns of rows [from, to), block by block.
func (f *fit) inBlocks(k task, visit func(c compute.Matrix, from, to int)) {
	size := min(blockRows(f.columns.count(), k.x.Sparse != nil), k.x.Rows)
	columns := compute.Reshape(&f.block, size, f.columns.count())
	for from := 0; from < k.x.Rows; from += size {
		to := min(from+size, k.x.Rows)
		c := compute.Rows(columns, 0, to-from)
		f.columns.fill(c, k.x.Between(from, to), f.columns.all())
		visit(c, from, to)
	}
}

// predict returns what solutions on other rows, of which train are the moments, predict at those held out.
func (f *fit) predict(held task, train *moments, problems []*lasso.Problem) calibrate.Sample {
	sample := held.sample()
	constant := make([]float64, held.y.Cols)
	w := solution{set: f.columns.all(), meanC: train.meanC, problems: problems}
	if !f.settings.NoIntercept {
		copy(constant, train.meanY)
		w.subtractMeans(constant)
	}
	compute.AddRow(sample.Scores, constant)
	f.inBlocks(held, func(c compute.Matrix, from, to int) {
		scores := compute.Rows(sample.Scores, from, to)
		for _, p := range problems {
			compute.MulNN(compute.Columns(scores, p.Output, p.Output+p.W.Cols), c, p.W, f.settings.Workers)
		}
	})
	return sample
}

// less returns the moments of the rows of s that are not those of t, which are among them, in the
// memory of t.
func (s *moments) less(t *moments) *moments {
	n := s.n - t.n
	dc, dy := make([]float64, len(s.meanC)), make([]float64, len(s.meanY))
	for i, v := range s.meanC {
		dc[i] = (t.meanC[i] - v) * s.n / n
		t.meanC[i] = v - float64(t.n/s.n*dc[i])
	}
	for o, v := range s.meanY {
		dy[o] = (t.meanY[o] - v) * s.n / n
		t.meanY[o] = v - float64(t.n/s.n*dy[o])
		t.yy[o] = s.yy[o] - (t.yy[o] + float64(t.n*n/s.n*dy[o]*dy[o]))
	}
	for i := range s.meanC {
		floats.SubTo(t.row(i), s.row(i), t.row(i))
		floats.SubTo(compute.Row(t.cy, i), compute.Row(s.cy, i), compute.Row(t.cy, i))
	}
	t.outer(-t.n*n/s.n, dc, dy)
	t.rows, t.n = s.rows-t.rows, n
	return t
}

// outOfSampleInLittle is outOfSample for the option LowMemory: each set takes a fit of its own.
func outOfSampleInLittle(s *settings, cols *columns, k task, r *monitor.Monitor) (all calibrate.Sample) {
	n := k.x.Rows
	for _, set := range calibrate.Sets(n, n, k.classes, calibrate.Refits(calibrate.MostSets), s.Seed, k.x.FirstCopies(k.y, k.classes)) {
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
