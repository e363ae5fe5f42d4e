package polk

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/loss"
)

// Fit learns a regression from rows x (n×d) and targets y (n×q), in
// Options.Passes passes over the rows in random order. Nil options mean the
// defaults.
//
// A fit that is cancelled or stopped by the Recorder returns the model so far
// together with the error, and so does one that has stalled (Report.Status), with
// an error that wraps rkhs.ErrNotConverged. Data and options at fault return no
// model. O(n·M·(d + q)) a pass, and O(M²) for each row with a gradient and each
// point that is removed.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := regression(opts)
	if err != nil {
		return nil, err
	}
	xs, ys, err := door.Pair("polk", x, y)
	if err != nil {
		return nil, err
	}
	if err := checkTargets(ys); err != nil {
		return nil, err
	}
	return fit(ctx, s, batch{x: xs, y: ys, outputs: ys.Cols})
}

// FitClassifier learns from rows x (n×d) and their labels (n×1), any whole
// numbers. Beyond the errors of Fit, rkhs.ErrLabels reports a label that is not a
// whole number, a single class, and more than two where the loss takes two.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	s, err := classification(opts)
	if err != nil {
		return nil, err
	}
	xs, ys, err := door.Pair("polk", x, labels)
	if err != nil {
		return nil, err
	}
	names, index, err := classes(s, ys)
	if err != nil {
		return nil, err
	}
	m, err := fit(ctx, s, batch{x: xs, class: index, outputs: outputsFor(len(names), loss.Margin(s.Loss))})
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: names}, err
}

// classes returns the labels in ascending order and the class of each row.
func classes(s *settings, y compute.Matrix) (labels, index []int, err error) {
	labels, index, err = door.Labels("polk", y)
	if err == nil && len(labels) > 2 && loss.Margin(s.Loss) {
		err = tooManyLabels(labels, s.Loss)
	}
	return labels, index, err
}

func tooManyLabels(labels []int, l loss.Loss) error {
	return fmt.Errorf("polk: labels %v for %v, which takes two: %w", labels, l, rkhs.ErrLabels)
}

// fit learns from rows that passed the door.
func fit(ctx context.Context, s *settings, all batch) (*Model, error) {
	if s.Kernel != nil {
		if err := checkKernel(s.Kernel, all.x); err != nil {
			return nil, err
		}
	}
	n := all.x.Rows
	s.Horizon = n * s.passes(n)
	if err := s.resolve(); err != nil {
		return nil, err
	}
	c := &core{set: s}
	sample := all.pick(batch{}, rng.New(s.Seed, "polk sample", 0).Sample(n, min(n, tuningRows)))
	if _, err := c.start(&sample); err != nil {
		return nil, err
	}
	c.begin(all)
	r := monitor.New(ctx, s.Recorder, "polk")
	defer r.Close()
	for pass := range s.passes(n) {
		order := rng.New(s.Seed, "polk order", uint64(pass)).Perm(n)
		if err := c.pass(all, order, r); err != nil {
			return nil, err
		}
	}
	return c.finish(r)
}

// pass learns from all rows in an order. It ends early if r says so.
func (c *core) pass(all batch, order []int, r *monitor.Monitor) error {
	var b batch
	for len(order) > 0 && !r.Stopped() {
		n := min(c.set.Batch, len(order))
		b = all.pick(b, order[:n])
		if _, err := c.step(b); err != nil {
			return err
		}
		order = order[n:]
		r.Report(c.progress())
	}
	return nil
}

// progress reports what was learned so far.
func (c *core) progress() rkhs.Progress {
	return rkhs.Progress{Iteration: c.totals.Rows, ModelOrder: c.f.order(), Objective: c.totals.Loss, Gap: math.NaN()}
}

// finish returns the model, with an error if it is not what was asked for.
func (c *core) finish(r *monitor.Monitor) (*Model, error) {
	m := c.model()
	switch {
	case r.Stopped():
		m.report.Status = r.Status()
		return m, r.Err()
	case m.report.Status == rkhs.Stalled:
		return m, fmt.Errorf("polk: the budget was no smaller than the step in %d of %d steps, and nothing was learned; K is too large: %w", c.totals.Stalled, c.totals.Steps, rkhs.ErrNotConverged)
	}
	m.report.Status = rkhs.IterationLimit
	return m, nil
}

// pick copies rows, in the memory of p where that is enough.
func (b batch) pick(p batch, rows []int) batch {
	p.outputs = b.outputs
	pick(&p.x, b.x, rows)
	if !b.labelled() {
		pick(&p.y, b.y, rows)
		return p
	}
	p.class = resize(p.class, len(rows))
	for n, i := range rows {
		p.class[n] = b.class[i]
	}
	return p
}

func pick(dst *compute.Matrix, m compute.Matrix, rows []int) {
	reshape(dst, len(rows), m.Cols)
	for n, i := range rows {
		copy(row(*dst, n), row(m, i))
	}
}
