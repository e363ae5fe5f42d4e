package slkl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// Fit learns from rows x (n×d) and targets y (n×q), one regression for each
// column of y. Nil options mean the defaults. Rows may be rkhs.Weighted: the loss of each is
// multiplied by its weight. Weights are taken as of mean one; Penalty and Noise stand beside
// the sum of n such losses.
//
// It takes one pass over the rows, O(n·M·(d + M)) time and O(M²) memory for M
// columns, and then solves the problem, whose size does not depend on n. A fit
// that is cancelled, stopped by the Recorder or not converged (OutputReport.Status
// tells what that is) returns its best model together with the error; data and
// options at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	m, sample, err := fitRows(ctx, s, task{x: w.X, y: w.Y, weights: door.MeanOne(w.Weights)})
	return m.with(sample), err
}

// task is what a fit learns from: rows that have passed the door, targets, weights of mean
// one or nil, and, if targets stand for labels, the number of the class of each row.
type task struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights
	classes []int
	numbers []uint64 // by which rows are dealt out, or nil: their place among all
}

// numbersBetween returns those of rows [from, to).
func (k task) numbersBetween(from, to int) []uint64 {
	if k.numbers == nil {
		return nil
	}
	return k.numbers[from:to]
}

// fitRows also returns what the model is calibrated by.
func fitRows(ctx context.Context, s *settings, k task) (m *Model, sample calibrate.Sample, err error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, sample, err
	}
	if err := choose.CheckMetric(pkg, s.Metric, k.x); err != nil {
		return nil, sample, err
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	cols, choice, err := s.columns(k, r)
	if err != nil {
		return nil, sample, err
	}
	if s.LowMemory {
		if m, err = newWorkingSet(s, cols, k, r).fit(); err == nil && !s.Uncalibrated {
			sample, err = outOfSampleInLittle(s, cols, k, r), r.Err()
		}
		return m, sample, err
	}
	l := &Learner{settings: s, columns: cols, choice: choice, count: s.parts(k.x.Rows)}
	if err := l.begin(k.y.Cols); err != nil {
		return nil, sample, err
	}
	l.take(k, r)
	f, err := newFit(l, r)
	if err != nil {
		return nil, sample, err
	}
	return f.calibrated(k)
}

// columns chooses landmarks and kernels where they are not given.
func (s *settings) columns(k task, r *monitor.Monitor) (*columns, kernel.Choice, error) {
	var none kernel.Choice
	s.leaveRoom(k.x.Rows)
	points, err := drawnPoints(s, k.x)
	if err != nil {
		return nil, none, err
	}
	if !s.LowMemory {
		if err := s.room(points.Rows*max(1, len(s.Kernels)), s.parts(k.x.Rows)); err != nil {
			return nil, none, err
		}
	}
	choice, err := s.choose(k, points, r)
	if err != nil {
		return nil, none, err
	}
	kernels := ownKernels(s.Kernels)
	if err := checkKernels(kernels, k.x); err != nil {
		return nil, none, err
	}
	cols, err := newColumns(s, kernels, points)
	return cols, choice, err
}

// fit is one run of the solvers on the rows of a learner.
type fit struct {
	settings *settings
	columns  *columns
	choice   kernel.Choice
	parts    []*moments // one a fold
	total    *moments
	sums     *lasso.Sums    // of total, and of the norm once it is added
	noise    float64        // the weight of the norm
	gram     compute.Matrix // of the norm, if it has a weight
	problems []*lasso.Problem
	space    lasso.Space
	held     compute.Matrix // memory of the moments of rows that are taken out
	block    compute.Matrix // memory of inBlocks
	monitor  *monitor.Monitor
}

func newFit(l *Learner, r *monitor.Monitor) (*fit, error) {
	f := &fit{settings: l.settings, columns: l.columns, choice: l.choice, parts: l.parts, total: l.parts[0],
		noise: l.settings.Noise, monitor: r}
	if len(l.parts) > 1 {
		f.total = newMoments(l.columns.count(), l.outputs())
		for _, p := range l.parts {
			f.total.merge(p)
		}
	}
	f.sums = f.total.sums(!f.settings.NoIntercept)
	f.sums.Space = &f.space
	if err := f.sums.Check(); err != nil {
		return nil, err
	}
	if f.noise > 0 {
		f.gram = f.columns.gram()
	}
	f.problems = problems(f.sums, f.settings)
	if len(f.problems) == 1 {
		f.problems[0].Workers = f.settings.Workers
	}
	return f, nil
}

func problems(sums *lasso.Sums, s *settings) []*lasso.Problem {
	return sums.Problems(s.Shared, s.method(), s.Workers)
}

// calibrated returns the model, and what it is calibrated by at rows that are a sample of all,
// or all.
func (f *fit) calibrated(rows task) (m *Model, sample calibrate.Sample, err error) {
	product, edge := f.penalties()
	if m, err = f.at(product, edge); err == nil && !f.settings.Uncalibrated {
		f.sums = nil
		for _, p := range f.problems {
			p.Forget()
		}
		sample, err = f.outOfSample(rows, product), f.monitor.Err()
	}
	return m, sample, err
}

// penalties chooses the noise and lam·nu of each problem where they are not given.
func (f *fit) penalties() (product []float64, edge []bool) {
	if f.settings.Penalty > 0 {
		f.addNorm()
		product = f.product(f.settings.Penalty)
		f.begin(product)
		return product, nil
	}
	c := newCrossValidation(f)
	f.findNoise(c)
	best, edge := c.penalties()
	f.addNorm()
	f.begin(best)
	f.beginNear(c, best, edge)
	return best, edge
}

// findNoise chooses the noise, unless it is given.
func (f *fit) findNoise(c *crossValidation) {
	if f.settings.openNoise && len(c.folds) > 0 {
		f.noise = c.noise(f.noise)
	}
}

// addNorm adds the norm to the problems.
func (f *fit) addNorm() {
	if f.noise > 0 {
		f.sums.AddNorm(f.gram, f.noise)
	}
}

// denseFirst tells whether penalties are searched from those that leave every column in
// the model on. Outputs that share their mu are not: steps on mu cannot solve what is so near
// to ridge regression.
func (f *fit) denseFirst() bool {
	return f.noise > 0 && !f.settings.Shared && !f.settings.gridGiven && !f.settings.descentAlone()
}

// begin makes what each penalty leaves of ridge regression the solution to start from, and
// of a fit that was stopped ridge regression itself. A penalty of zero becomes one so small
// that it leaves all.
func (f *fit) begin(product []float64) {
	stopped := f.monitor.Stopped()
	if f.noise == 0 || !f.denseFirst() && !stopped {
		return
	}
	r, ok := f.sums.Ridge(nil, f.gram, 0, f.settings.Workers) // the norm is part of the sums
	if !ok {
		f.leastOf(product)
		return
	}
	if !stopped && slices.Max(product) > 0 {
		r.Fall(f.problems)
	}
	for i, p := range f.problems {
		if product[i] > 0 && !stopped {
			r.Start(p, product[i])
			continue
		}
		if product[i] == 0 {
			product[i] = r.Negligible(p, f.settings.Tolerance)
		}
		if product[i] > 0 {
			p.Start(compute.Columns(r.W, p.Output, p.Output+p.W.Cols), product[i])
		}
	}
}

// leastOf replaces penalties of zero where ridge regression cannot tell what is negligible.
func (f *fit) leastOf(product []float64) {
	for i, p := range f.problems {
		if product[i] == 0 {
			product[i] = fallback * p.NuMax()
		}
	}
}

// beginNear starts from the solutions of a fold that the search came to last.
func (f *fit) beginNear(c *crossValidation, product []float64, edge []bool) {
	if !f.denseFirst() || len(c.folds) == 0 || f.monitor.Stopped() {
		return
	}
	for i, p := range c.folds[0].problems {
		if c.searched(i) == i && product[i] > 0 && !edge[i] {
			f.problems[i].Start(p.W, product[i])
		}
	}
}

// product returns lam·nu for each problem.
func (f *fit) product(nu float64) []float64 {
	list := make([]float64, len(f.problems))
	for i := range list {
		list[i] = nu * f.settings.Ridge
	}
	return list
}

// at solves every problem for its lam·nu, problems side by side; edge tells of which of
// them the search came to its end there.
func (f *fit) at(product []float64, edge []bool) (*Model, error) {
	reports := make([]OutputReport, len(f.problems))
	compute.Parallel(len(f.problems), f.settings.Workers, func(i int) {
		p := f.problems[i]
		r := p.Solve(product[i], f.settings.Tolerance, f.monitor)
		reports[i] = newOutputReport(product[i], p.NuMax(), f.settings.Ridge, r)
		reports[i].AtEdge = edge != nil && edge[i]
	})
	all := solution{columns: f.columns, set: f.columns.all(), meanC: f.total.meanC, problems: f.problems}
	m, err := newModel(f.settings, all, f.total.meanY, reports)
	if err != nil {
		return nil, err
	}
	m.noise, m.choice = f.noise, f.choice
	return m, unfinished(f.monitor, reports, f.problems, f.settings.descentAlone())
}

// path solves for one penalty after another.
func (f *fit) path(penalties []float64) ([]*Model, error) {
	for i, v := range penalties {
		if !door.WithinRange(v) || i > 0 && v >= penalties[i-1] {
			return nil, fmt.Errorf("slkl: penalties[%d] = %v; want a falling sequence from 1e-100 to 1e100: %w", i, v, rkhs.ErrOption)
		}
	}
	if f.settings.openNoise {
		f.findNoise(newCrossValidation(f))
	}
	f.addNorm()
	var models []*Model
	for _, nu := range penalties {
		m, err := f.at(f.product(nu), nil)
		if m != nil {
			models = append(models, m)
		}
		if err != nil {
			return models, err
		}
	}
	return models, nil
}
