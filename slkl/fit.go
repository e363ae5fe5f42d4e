package slkl

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// Fit learns from rows x (n×d) and targets y (n×q), one regression for each
// column of y. Nil options mean the defaults.
//
// It takes one pass over the rows, O(n·M·(d + M)) time and O(M²) memory for M
// columns, and then solves the problem, whose size does not depend on n. A fit
// that is cancelled, stopped by the Recorder or not converged returns its best
// model together with the error; data and options at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	xs, ys, err := door.Pair(pkg, x, y)
	if err != nil {
		return nil, err
	}
	return fitRows(ctx, s, xs, ys)
}

// fitRows is Fit for rows that have passed the door.
func fitRows(ctx context.Context, s *settings, x, y compute.Matrix) (*Model, error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	cols, err := columnsOf(s, x)
	if err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	if s.LowMemory {
		return newWorkingSet(s, cols, x, y, r).fit()
	}
	l := &Learner{settings: s, columns: cols}
	if err := l.begin(y.Cols); err != nil {
		return nil, err
	}
	l.take(x, y, r)
	f, err := newFit(l, r)
	if err != nil {
		return nil, err
	}
	return f.model()
}

// columnsOf returns the columns that the options ask for, with kernels that accept
// the rows x.
func columnsOf(s *settings, x compute.Matrix) (*columns, error) {
	kernels, err := baseKernels(s.Kernels, x, s.Seed)
	if err != nil {
		return nil, err
	}
	points, err := landmarks(s, x)
	if err != nil {
		return nil, err
	}
	c, err := newColumns(s, kernels, points)
	if err != nil {
		return nil, err
	}
	return c, checkKernels(kernels, x)
}

// fit is one run of the solvers on the rows of a learner.
type fit struct {
	settings *settings
	columns  *columns
	parts    []*moments // one a fold
	total    *moments
	problems []*lasso.Problem
	monitor  *monitor.Monitor
}

func newFit(l *Learner, r *monitor.Monitor) (*fit, error) {
	f := &fit{settings: l.settings, columns: l.columns, parts: l.parts, total: l.parts[0], monitor: r}
	if len(l.parts) > 1 {
		f.total = newMoments(l.columns.count(), l.outputs())
		for _, p := range l.parts {
			f.total.merge(p)
		}
	}
	sums := f.total.sums(!f.settings.NoIntercept)
	if err := sums.Check(); err != nil {
		return nil, err
	}
	f.problems = problems(sums, f.settings)
	if len(f.problems) == 1 {
		f.problems[0].Workers = f.settings.Workers
	}
	return f, nil
}

func problems(sums *lasso.Sums, s *settings) []*lasso.Problem {
	return sums.Problems(s.Shared, s.method(), s.Workers)
}

// model chooses the penalties where none is given and solves every problem.
func (f *fit) model() (*Model, error) {
	if f.settings.Penalty == 0 {
		return f.at(newCrossValidation(f).choose())
	}
	return f.at(f.product(f.settings.Penalty))
}

// product returns lam·nu for each problem.
func (f *fit) product(nu float64) []float64 {
	list := make([]float64, len(f.problems))
	for i := range list {
		list[i] = nu * f.settings.Ridge
	}
	return list
}

// at solves every problem for its lam·nu, problems side by side.
func (f *fit) at(product []float64) (*Model, error) {
	reports := make([]OutputReport, len(f.problems))
	compute.Parallel(len(f.problems), f.settings.Workers, func(i int) {
		p := f.problems[i]
		r := p.Solve(product[i], f.settings.Tolerance, f.monitor)
		reports[i] = newOutputReport(product[i], p.NuMax(), f.settings.Ridge, r)
	})
	all := solution{columns: f.columns, set: f.columns.all(), meanC: f.total.meanC, problems: f.problems}
	m, err := newModel(f.settings, all, f.total.meanY, reports)
	if err != nil {
		return nil, err
	}
	return m, unfinished(f.monitor, reports, f.settings.descentAlone())
}

// path solves for one penalty after another.
func (f *fit) path(penalties []float64) ([]*Model, error) {
	for i, v := range penalties {
		if !door.WithinRange(v) || i > 0 && v >= penalties[i-1] {
			return nil, fmt.Errorf("slkl: penalties[%d] = %v; want a falling sequence from 1e-100 to 1e100: %w", i, v, rkhs.ErrOption)
		}
	}
	var models []*Model
	for _, nu := range penalties {
		m, err := f.at(f.product(nu))
		if m != nil {
			models = append(models, m)
		}
		if err != nil {
			return models, err
		}
	}
	return models, nil
}
