package ratio

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Fit estimates w = p/q from rows x (n×d) drawn from the density p and rows y (m×d) drawn
// from q. The rows are not paired. Either matrix may be rkhs.Weighted; only the ratios of
// weights within a matrix matter. With q landmarks, a Newton step costs
// O((n + m)·q·(q + d)). With b features in a block, a gradient costs O((n + m)·b·d). A fit
// that is cancelled, stopped or not converged returns its best model with the error.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := o.refuse(false); err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	above, err := input.WeighedRows(pkg, input.Points, "x", x)
	if err != nil {
		return nil, err
	}
	below, err := input.WeighedRows(pkg, input.Points, "y", y)
	if err != nil {
		return nil, err
	}
	if above.X.Cols != below.X.Cols {
		return nil, fmt.Errorf("ratio: x has %d columns, y has %d: %w", above.X.Cols, below.X.Cols, rkhs.ErrShape)
	}
	f := &fit{options: &o, tolerance: cmp.Or(o.Tolerance, defaultTolerance), monitor: progress.New(ctx, o.Recorder, pkg)}
	defer f.monitor.Close()
	all := stack(above, below)
	c, err := find(&o, all, f.monitor)
	if err != nil {
		return nil, err
	}
	return f.run(c, all)
}

// samples are rows of p followed by rows of q.
type samples struct {
	rows    compute.Points
	above   int             // number of rows of p
	weights compute.Weights // of mean one within each density
}

// stack joins the rows of p and of q.
func stack(p, q input.Weighed) samples {
	s := samples{rows: compute.StackPoints([]compute.Points{p.X, q.X}), above: p.X.Rows}
	a, b := input.MeanOne(p.Weights), input.MeanOne(q.Weights)
	if a == nil && b == nil {
		return s
	}
	for _, w := range []struct {
		weights []float64
		rows    int
	}{{a, p.X.Rows}, {b, q.X.Rows}} {
		if w.weights == nil {
			w.weights = slices.Repeat([]float64{1}, w.rows)
		}
		s.weights = append(s.weights, w.weights...)
	}
	return s
}

// fit is the state of one fit to finite rows.
type fit struct {
	options   *Options
	tolerance float64
	monitor   *progress.Monitor

	space   *descent.Space
	problem *problem
}

func (f *fit) run(c hyperparameters, all samples) (*Model, error) {
	rows := all.rows
	o := f.options.config()
	o.Kernel = c.kernel
	var err error
	if f.space, err = descent.NewSpace(o, rows, 1, descent.Negligible*c.ridge, f.monitor); err != nil {
		return nil, err
	}
	p := f.space
	f.problem = &problem{form: f.options.Form, e: p.E, above: all.above, weights: all.weights, nu: c.ridge, random: make([]float64, rows.Rows), workers: o.Workers, stopped: f.monitor.Stopped}
	iterates, phi := descent.NewIterates(p, 1), compute.NewMatrix(p.Centres.Count(), 1)
	for next := 4; ; {
		copy(f.problem.random, iterates.Mean.At(p).Data)
		best := compute.Clone(phi)
		values := f.problem.solve(best)
		bound := math.Inf(1)
		if iterates.Steps == 0 || iterates.Steps == next || iterates.Steps >= p.Blocks {
			bound = f.error(values)
			next = 2 * max(iterates.Steps, 2)
		}
		f.monitor.Report(rkhs.Progress{Phase: "fit", Iteration: iterates.Steps, Objective: f.problem.objective(best, values), ModelOrder: p.Centres.Count(), Gap: bound})
		if bound <= f.tolerance || iterates.Steps >= p.Blocks || f.monitor.Stopped() {
			return f.model(iterates, best, values)
		}
		copy(f.problem.random, iterates.Now.At(p).Data)
		first, curvature := f.problem.derivatives(f.problem.solve(phi))
		rate := p.Rate(curvature*float64(rows.Rows), c.ridge)
		iterates.Step(first, p.Coordinates(first), rate/(1+rate*c.ridge*float64(iterates.Steps)/1.5), c.ridge)
	}
}

// error bounds the root mean square error of f over a sample of the rows, relative to f for
// Plain. The bound is ‖h‖/nu, for the gradient h of the objective in exact kernel values.
func (f *fit) error(values compute.Matrix) float64 {
	sample := f.space.Sample()
	first, _ := f.problem.derivatives(values)
	h := compute.NewMatrix(len(sample), 1)
	f.space.Centres.Of.MulOf(h, f.space.X.Pick(sample), f.space.X, first)
	lack, size := 0.0, 0.0
	for i, s := range sample {
		lack = math.Hypot(lack, h.Data[i]/f.problem.nu+values.Data[s])
		size = math.Hypot(size, values.Data[s])
	}
	if f.options.Form == Log {
		return lack / math.Sqrt(float64(len(sample)))
	}
	return lack / max(size, math.SmallestNonzeroFloat64)
}

func (f *fit) model(iterates *descent.Iterates, phi, values compute.Matrix) (*Model, error) {
	report := descent.NewSpaceReport(f.space, iterates.Steps, f.problem.nu, f.error(values))
	m, err := newModel(iterates.Function(phi), f.options.Form, report)
	if err != nil {
		return nil, err
	}
	return m, m.report.Conclude(pkg, f.monitor, f.tolerance, f.options.Tolerance > 0)
}
