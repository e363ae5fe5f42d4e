package doublysgd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Fit learns from rows x (n×d) and targets y (n×q), one function for each column of y, or for
// each of Options.Quantiles. Nil options mean the defaults. Rows may be rkhs.Weighted: the loss
// of a row counts as often as its weight says. Newton and Plain mode, which draw rows, take
// those of larger weight no more often, but in longer steps.
//
// In Revisit mode with D features in blocks of m the first pass takes
// O(n·D·(d + m + q)) time, later ones O(n·D·(d + q)), and the memory is
// O(n·(d + q) + D·(m + q)). A fit that is cancelled, stopped by the Recorder or
// not converged returns its best model together with the error; data and options
// at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings(0, false)
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	if w.Y, err = s.targets(w.Y); err != nil {
		return nil, err
	}
	w.Weights = door.MeanOne(w.Weights)
	t, err := newTask(s, w, nil)
	if err != nil {
		return nil, err
	}
	m, sample, err := t.fit(ctx)
	if m != nil {
		m.f.quantiles, m.intervals = s.Quantiles, calibrate.FitIntervals(sample)
	}
	return m, err
}

// task is one fit to data that has passed the door.
type task struct {
	options *settings
	x       compute.Points
	risk    *descent.Risk
	some    []int     // rows that are learned from in Newton and Plain mode, nil for all
	loss    loss.Loss // that is minimised now
	units   descent.Units
	kernel  kernel.Kernel // given, or the one to begin with
	monitor *monitor.Monitor
	held    calibrate.Sample // of rows before they were learned from, if there were any

	columns, batch int
	visits         int  // of blocks
	single         bool // whether features may be in single precision, once that is known
}

// newTask takes rows with their targets and weights, of mean one or nil, and, of a
// classification, the class indices that these stand for.
func newTask(s *settings, w door.Weighed, class []int) (*task, error) {
	x, y := w.X, w.Y
	if err := choose.CheckMetric(pkg, s.Metric, x); err != nil {
		return nil, err
	}
	k, err := choose.Kernel(pkg, s.Kernel, x, 1, s.Seed)
	if err != nil {
		return nil, err
	}
	t := &task{options: s, x: x, loss: s.Loss, units: unitsOf(y, w.Weights, s.Loss, s.each, s.classes), kernel: k}
	t.risk = descent.NewRisk(y, class, s.Loss, t.units, s.Workers)
	t.risk.Each, t.risk.Weights = s.each, w.Weights
	if err := t.risk.CheckTargets(); err != nil {
		return nil, prefixed(err)
	}
	t.columns, t.batch = s.sizes(x.Rows)
	t.columns = t.columnsWithin(t.columns)
	if err := choose.CheckRange(pkg, s.Kernel, x, compute.Matrix{}); err != nil {
		return nil, err
	}
	// The kernel, or its size, may be one without features.
	_, err = t.zero(k, t.columns)
	return t, err
}

// fit returns the model, and what it is calibrated by.
func (t *task) fit(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	t.monitor = monitor.New(ctx, t.options.Recorder, pkg)
	defer t.monitor.Close()
	calibrated := !t.options.Uncalibrated && t.options.each == nil
	if t.options.Mode != Revisit && t.x.Rows >= apartRows && calibrated {
		return t.fitApart()
	}
	units := t.units
	if m, err = t.solve(); err == nil && calibrated {
		t.units = units // which the constant has moved
		if sample = t.held; !foretold(sample) {
			sample, err = t.refits(m), t.monitor.Err()
		}
	}
	return m, sample, err
}

// fitApart does not learn from the rows that it calibrates by.
func (t *task) fitApart() (m *Model, sample calibrate.Sample, err error) {
	n := t.x.Rows
	set := calibrate.Sets(n, n, t.risk.Class, calibrate.Apart, t.options.Seed, t.x.FirstCopies(t.risk.Y, t.risk.Class))[0]
	rest := *t // which has units of its own
	rest.some = calibrate.Others(n, set)
	if m, err = rest.solve(); err == nil {
		sample = t.predicted(m, set)
	}
	return m, sample, err
}

// solve learns from all rows.
func (t *task) solve() (*Model, error) {
	if t.options.Mode == Revisit {
		return (&run{passes: passes{task: t}}).fit()
	}
	return (&steps{task: t}).fit()
}

// outputs returns q.
func (t *task) outputs() int { return len(t.units.Offset) }

// zero returns f = 0 in blocks of so many features of a kernel.
func (t *task) zero(k kernel.Kernel, columns int) (*blocks.Function, error) {
	c := t.options.config()
	return c.Zero(k, t.x.Cols, t.outputs(), columns)
}

// model returns the model of a function, or rkhs.ErrDiverged.
func (t *task) model(f *blocks.Function, report Report) (*Model, error) {
	report.Mode, report.Status = t.options.Mode, t.monitor.Status()
	m, err := newModel(f, t.units, report)
	if err != nil {
		return nil, err
	}
	return m, t.monitor.Err()
}

// unknown is a report of which nothing is known.
func unknown() Report {
	nan := math.NaN()
	return Report{Ridge: nan, HeldOutLoss: nan, Objective: nan, Gradient: nan, Gap: nan}
}

// count returns the number of rows that are learned from.
func (t *task) count() int {
	if t.some != nil {
		return len(t.some)
	}
	return t.x.Rows
}

// permutation returns the rows that are learned from in random order.
func (t *task) permutation(pass int) []int {
	order := rng.New(t.options.Seed, "doublysgd order", uint64(pass)).Perm(t.count())
	if t.some != nil {
		for i, place := range order {
			order[i] = t.some[place]
		}
	}
	return order
}

// minimise sets the loss.
func (t *task) minimise(l loss.Scalar) {
	k := *t.risk
	k.Scalar = l
	t.loss, t.risk = l, &k
}
