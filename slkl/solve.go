package slkl

import (
	"context"
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

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
	once     bool           // whether the parts may be overwritten
	block    compute.Matrix // memory of inBlocks
	monitor  *monitor.Monitor
}

func newFit(l *Learner, r *monitor.Monitor) (*fit, error) {
	f := &fit{settings: l.settings, columns: l.columns, choice: l.choice, parts: l.parts, noise: l.settings.Noise, once: l.once, monitor: r}
	f.total = f.parts[0]
	if len(f.parts) > 1 {
		f.total = newMoments(len(f.total.meanC), len(f.total.meanY))
		for _, p := range f.parts {
			f.total.merge(p)
		}
	}
	if f.noise > 0 {
		f.gram = f.columns.gram()
	}
	f.sums = f.total.sums(!f.settings.NoIntercept)
	if err := f.sums.Check(); err != nil {
		return nil, err
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
	c.forget()
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
	return m, unfinished(f.monitor, reports, f.problems, f.settings.descentAlone(), f.settings.strict)
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

// solve runs the solvers on the rows of l, as its method does.
func solve[T any](ctx context.Context, l *Learner, method string, run func(*fit) (T, error)) (none T, err error) {
	if err := l.made(method); err != nil {
		return none, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return none, err
	}
	if l.rows == 0 {
		return none, fmt.Errorf("slkl: the learner has seen no rows: %w", rkhs.ErrEmpty)
	}
	r := monitor.New(ctx, l.settings.Recorder, pkg)
	defer r.Close()
	f, err := newFit(l, r)
	if err != nil {
		return none, err
	}
	return run(f)
}
