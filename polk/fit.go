package polk

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
)

// Fit fits a regression to rows x (n×d) and targets y (n×q) in Options.Passes passes of random
// order. Rows may be rkhs.Weighted: weights, scaled to mean one, multiply the losses and do not
// affect the order.
//
// A cancelled or stopped fit returns the partial model with the error. So does a stalled one
// (Report.Status), with an error that wraps rkhs.ErrNotConverged. Invalid data and options
// return no model. O(n·M·(d + q)) per pass, and O(M²) per row with a gradient and per removed
// point.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := regression(opts)
	if err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return nil, err
	}
	if err := checkTargets(w.Y); err != nil {
		return nil, err
	}
	m, sample, err := fit(ctx, s, batch{x: w.X, y: w.Y, weights: input.MeanOne(w.Weights), outputs: w.Y.Cols})
	return m.with(sample), err
}

// FitClassifier fits a classifier to rows x (n×d), possibly weighted, and integer labels (n×1).
// Without a Loss and a Rate, steps of loss.MulticlassHinge select the points. Least squares
// determine the weights, with the target 1 for the class of a row and −1 for other classes.
// Report.Loss is then loss.Squared. From 20000 rows, 2000 held-out rows decide whether the
// weights of the steps are kept, as is typical with many rows per point.
//
// Errors are as in Fit, and rkhs.ErrLabels for a label that is no integer, for a single class,
// and for more than two classes with a binary loss.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	s, err := classification(opts)
	if err != nil {
		return nil, err
	}
	s.codes = s.Rate == 0 && (opts == nil || opts.Loss == nil)
	w, names, index, err := input.WeighedClasses(pkg, input.Points, x, labels)
	if err == nil {
		err = checkLabels(names, s.Loss)
	}
	if err != nil {
		return nil, err
	}
	m, sample, err := fit(ctx, s, batch{x: w.X, class: index, weights: w.Weights, outputs: outputsFor(len(names), s.Loss)})
	return newClassifier(m, names, sample), err
}

// fit fits validated rows. It also returns the calibration sample.
func fit(ctx context.Context, s *settings, all batch) (m *Model, sample calibrate.Sample, err error) {
	n := all.x.Rows
	if err := checkFit(ctx, s, all); err != nil {
		return nil, sample, err
	}
	r := progress.New(ctx, s.Recorder, pkg)
	defer r.Close()
	var heldOut batch
	if n >= heldOutRows && (s.codes || !s.NoCalibration) {
		set := calibrate.Sets(n, n, all.class, calibrate.Apart, s.Seed, all.x.FirstCopies(all.y, all.class))[0]
		heldOut, all = all.pick(batch{}, set), all.pick(batch{}, calibrate.Others(n, set))
		n = all.x.Rows
		s.Horizon = n * s.Passes
	}
	few := all.pick(batch{}, rng.New(s.Seed, "polk sample", 0).Sample(n, min(n, searchRows)))
	d, err := newDescent(s, few, n, r)
	if err != nil {
		return nil, sample, err
	}
	pass := func() { err = d.passes(all, heldOut, r) }
	if s.NoCalibration || heldOut.x.Rows > 0 || s.solves() {
		pass()
	} else {
		sample = d.refits(all, few, r, pass)
	}
	if err != nil {
		return nil, calibrate.Sample{}, err
	}
	if m, err = finish(d, r); err != nil {
		return m, calibrate.Sample{}, err
	}
	switch {
	case s.NoCalibration:
	case heldOut.x.Rows > 0:
		sample = d.predictions(heldOut)
	case d.solved != nil:
		sample = d.leaveOneOut(all, r)
	case s.solves(): // without points, or singular to working precision
		sample = d.refits(all, few, r, func() {})
	}
	if r.Stopped() { // during calibration
		m.report.Status = r.Status()
	}
	return m, sample, r.Err()
}

// checkFit validates data against the settings, and completes the settings.
func checkFit(ctx context.Context, s *settings, all batch) error {
	if err := input.Context(pkg, ctx); err != nil {
		return err
	}
	if err := s.forRows(all.x.Rows); err != nil {
		return err
	}
	if err := search.CheckMetric(pkg, s.Metric, all.x); err != nil {
		return err
	}
	if err := search.CheckRange(pkg, s.Kernel, all.x, all.y); err != nil {
		return err
	}
	return checkKernel(s.Kernel, all.x)
}

// finish returns the model, with an error if the fit was stopped or stalled.
func finish(d *descent, r *progress.Monitor) (*Model, error) {
	m := d.model()
	switch {
	case r.Stopped():
		m.report.Status = r.Status()
		return m, r.Err()
	case m.report.Status == rkhs.Stalled:
		return m, fmt.Errorf("polk: the budget exceeded the step in %d of %d steps; BudgetConstant is too large: %w",
			d.totals.Stalled, d.totals.Steps, rkhs.ErrNotConverged)
	}
	m.report.Status = rkhs.IterationLimit
	return m, nil
}
