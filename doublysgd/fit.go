package doublysgd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Fit fits rows x (n×d) and targets y (n×q), one function for each column of y or for each of
// Options.Quantiles. Nil options select the defaults. Weights of rows (rkhs.Weighted) multiply their
// losses.
//
// In Revisit mode with D features in blocks of m, the first pass costs O(n·D·(d + m + q)), and later
// passes cost O(n·D·(d + q)). Memory is O(n·(d + q) + D·(m + q)). A fit that is cancelled, stopped
// by the Recorder or not converged returns its best model and the error. Invalid data or options
// return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings(0, false)
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return nil, err
	}
	if w.Y, err = s.targets(w.Y); err != nil {
		return nil, err
	}
	w.Weights = input.MeanOne(w.Weights)
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

// task is a fit to validated data.
type task struct {
	options *settings
	x       compute.Points
	risk    *descent.Risk
	some    []int     // training rows in Newton and Plain mode, nil for all
	loss    loss.Loss // that is minimised now
	units   descent.Units
	kernel  kernel.Kernel // given, or the one to begin with
	monitor *progress.Monitor
	unseen  calibrate.Sample // of rows before training on them, if any

	columns, batch int
	visits         int  // of blocks
	single         bool // whether features may be in single precision, once that is known
}

// newTask returns a fit to rows with targets and weights, which are nil or have the mean 1. Class
// holds the class indices of a classification, or nil.
func newTask(s *settings, w input.Weighed, class []int) (*task, error) {
	x, y := w.X, w.Y
	if err := search.CheckMetric(pkg, s.Metric, x); err != nil {
		return nil, err
	}
	k, err := search.Kernel(pkg, s.Kernel, x, 1, s.Seed)
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
	// The kernel, or its size, may be one without features.
	_, err = t.zero(k, t.columns)
	return t, err
}

// fit returns the model and its calibration sample.
func (t *task) fit(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	t.monitor = progress.New(ctx, t.options.Recorder, pkg)
	defer t.monitor.Close()
	calibrated := !t.options.NoCalibration && t.options.each == nil
	if t.options.Mode != Revisit && t.x.Rows >= apartRows && calibrated {
		return t.fitApart()
	}
	units := t.units
	if m, err = t.solve(); err == nil && calibrated {
		t.units = units // which the constant has moved
		if sample = t.unseen; !foretold(sample) {
			sample, err = t.refits(m), t.monitor.Err()
		}
	}
	return m, sample, err
}

// fitApart reserves rows for the calibration.
func (t *task) fitApart() (m *Model, sample calibrate.Sample, err error) {
	n := t.x.Rows
	set := calibrate.Sets(n, n, t.risk.Class, calibrate.Apart, t.options.Seed, t.x.FirstCopies(t.risk.Y, t.risk.Class))[0]
	rest := *t // with its own units
	rest.some = calibrate.Others(n, set)
	if m, err = rest.solve(); err == nil {
		sample = t.predicted(m, set)
	}
	return m, sample, err
}

// solve fits all rows.
func (t *task) solve() (*Model, error) {
	if t.options.Mode == Revisit {
		return (&run{passes: passes{task: t}}).fit()
	}
	return (&steps{task: t}).fit()
}

// outputs returns q.
func (t *task) outputs() int { return len(t.units.Offset) }

// zero returns f = 0 in blocks of the given number of features.
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

// unknown returns a report with unknown values.
func unknown() Report {
	nan := math.NaN()
	return Report{Ridge: nan, HeldOutLoss: nan, Objective: nan, Gradient: nan, Gap: nan}
}

// count returns the number of training rows.
func (t *task) count() int {
	if t.some != nil {
		return len(t.some)
	}
	return t.x.Rows
}

// permutation returns the training rows in random order.
func (t *task) permutation(pass int) []int {
	order := rng.New(t.options.Seed, "doublysgd order", uint64(pass)).Perm(t.count())
	if t.some != nil {
		for i, position := range order {
			order[i] = t.some[position]
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
