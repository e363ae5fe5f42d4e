package slkl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// fit is one run of the solvers on the rows of a learner.
type fit struct {
	settings  *settings
	columns   *columns
	found     kernel.SearchResult
	parts     []*moments // one for each fold
	total     *moments
	means     *moments       // of total, or 0 without an intercept
	sums      *lasso.Sums    // of total, and of the norm after addNorm
	noise     float64        // weight of the norm
	gram      compute.Matrix // of the norm, if it has a weight
	problems  []*lasso.Problem
	overwrite bool           // whether the parts may be overwritten
	buffer    compute.Matrix // of columns.blocks
	monitor   *progress.Monitor
}

// newFit merges the parts of l. With overwrite, the fit may overwrite them.
func newFit(l *Learner, overwrite bool, r *progress.Monitor) (*fit, error) {
	f := &fit{settings: l.settings, columns: l.columns, found: l.found, parts: l.parts,
		noise: l.settings.Noise, overwrite: overwrite, monitor: r}
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
	f.means = f.total.clone()
	f.sums = f.means.sums(!f.settings.NoIntercept)
	if err := cmp.Or(f.sums.Check(), f.total.checkTargets()); err != nil {
		return nil, err
	}
	f.problems = f.settings.problems(f.sums, 0)
	if len(f.problems) == 1 {
		f.problems[0].Workers = f.settings.Workers
	}
	return f, nil
}

// calibrated returns the model and the sample that calibrates it, from rows that are all rows of the
// fit or a sample.
func (f *fit) calibrated(rows task) (m *Model, sample calibrate.Sample, err error) {
	product, edge := f.penalties()
	if m, err = f.at(product, edge); err != nil || f.settings.NoCalibration {
		return m, sample, err
	}
	var weights []compute.Matrix
	for _, p := range f.problems {
		weights = append(weights, p.W)
	}
	f.sums, f.problems = nil, nil // the refits need the memory
	return m, f.outOfSample(rows, product, weights), f.monitor.Err()
}

// penalties returns lam·nu of each problem, selected by cross-validation unless it is given, and adds
// the norm.
func (f *fit) penalties() (product []float64, edge []bool) {
	if f.settings.Penalty > 0 {
		f.addNorm()
		product = f.product(f.settings.Penalty)
		f.begin(product)
		return product, nil
	}
	c := newCrossValidation(f)
	f.selectNoise(c)
	product, edge = c.penalties()
	starts := c.starts()
	f.addNorm()
	f.begin(product)
	for i, w := range starts {
		if product[i] > 0 && !edge[i] && !f.monitor.Stopped() && w.Rows > 0 {
			f.problems[i].Start(w, product[i])
		}
	}
	return product, edge
}

// selectNoise selects the noise unless it is given.
func (f *fit) selectNoise(c *crossValidation) {
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

// denseFirst reports whether the penalty search starts at ridge regression. A shared mu does not:
// steps on mu cannot solve problems near ridge regression.
func (f *fit) denseFirst() bool {
	return f.noise > 0 && !f.settings.Shared && !f.settings.gridGiven && !f.settings.descentAlone()
}

// begin starts the problems at the solution of ridge regression, reduced by the penalty to first order
// unless the fit was stopped. It replaces penalties of zero by negligible penalties.
func (f *fit) begin(product []float64) {
	stopped := f.monitor.Stopped()
	if f.noise == 0 || !f.denseFirst() && !stopped {
		return
	}
	r, ok := f.sums.Ridge(nil, f.gram, 0, f.settings.Workers) // the sums contain the norm
	if ok && !stopped && slices.Max(product) > 0 {
		r.Fall(f.problems)
	}
	for i, p := range f.problems {
		switch {
		case !ok && product[i] == 0:
			product[i] = fallback * p.NuMax()
		case !ok:
		case product[i] > 0 && !stopped:
			r.Start(p, product[i])
		default:
			if product[i] == 0 {
				product[i] = r.Negligible(p, f.settings.Tolerance)
			}
			if product[i] > 0 {
				p.Start(p.Outputs(r.W), product[i])
			}
		}
	}
}

// product returns lam·nu for each problem.
func (f *fit) product(nu float64) []float64 {
	return slices.Repeat([]float64{nu * f.settings.Ridge}, len(f.problems))
}

// at solves the problems in parallel for their lam·nu. edge, or nil, marks penalties at an end of the
// search.
func (f *fit) at(product []float64, edge []bool) (*Model, error) {
	reports := make([]OutputReport, len(f.problems))
	compute.Parallel(len(f.problems), f.settings.Workers, func(i int) {
		p := f.problems[i]
		r := p.Solve(product[i], f.settings.Tolerance, f.monitor)
		reports[i] = newOutputReport(product[i], p.NuMax(), f.settings.Ridge, r)
		reports[i].AtEdge = edge != nil && edge[i]
	})
	all := solution{columns: f.columns, set: f.columns.all(), meanC: f.means.meanC, meanY: f.means.meanY,
		problems: f.problems}
	m, err := newModel(f.settings, all, reports)
	if err != nil {
		return nil, err
	}
	m.noise, m.found = f.noise, f.found
	return m, f.settings.unfinished(f.monitor, reports, f.problems)
}

// path solves for one penalty after another.
func (f *fit) path(penalties []float64) (models []*Model, err error) {
	for i, v := range penalties {
		if !input.WithinRange(v) || i > 0 && v >= penalties[i-1] {
			return nil, fmt.Errorf("slkl: penalties[%d] = %v; want a falling sequence from 1e-100 to 1e100: %w",
				i, v, rkhs.ErrOption)
		}
	}
	if f.settings.openNoise {
		f.selectNoise(newCrossValidation(f))
	}
	f.addNorm()
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
