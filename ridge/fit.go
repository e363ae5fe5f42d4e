package ridge

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// Fit trains on rows x (n×d), which may be rkhs.Weighted, with targets y (n×q). Nil options select
// the defaults. If the context or the Recorder stops the fit, or it does not converge, it returns
// its best model and the error. Invalid data and options return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked(ctx)
	if err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return nil, err
	}
	m, sample, err := fit(ctx, w.X, w.Y, input.MeanOne(w.Weights), nil, o)
	if m != nil {
		m.intervals = calibrate.FitIntervals(sample)
	}
	return m, err
}

// FitClassifier is Fit with labels (n×1, whole numbers). Each label has a column of targets, 1 in its rows and
// −1 in other rows. Two labels share one column. A single label returns rkhs.ErrLabels.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	o, err := opts.checked(ctx)
	if err != nil {
		return nil, err
	}
	w, names, index, err := input.WeighedClasses(pkg, input.Points, x, labels)
	if err != nil {
		return nil, err
	}
	m, sample, err := fit(ctx, w.X, input.Targets(index, outputsOf(names)), w.Weights, index, o)
	if m == nil {
		return nil, err
	}
	probabilities := calibrate.FitClasses(sample, len(names), calibrate.OfClasses, nil)
	return &Classifier{model: m, labels: names, probabilities: probabilities}, err
}

// problem is a regression with a given kernel and noise.
type problem struct {
	options *Options
	of      gram.Evaluator
	x       compute.Points
	y       compute.Matrix  // minus means
	weights compute.Weights // of mean one, or nil
	classes []int           // or nil
	means   []float64       // zeros without a constant
	noise   float64         // n·lam
	solver  solver
	held    *heldOut // or nil
	replace bool     // slow conjugate gradients by a factorisation
	slow    bool     // conjugate gradients were slow
	monitor *progress.Monitor
	report  Report
	sample  calibrate.Sample // leave-one-out predictions
}

// fit trains on validated data. It also returns the predictions to calibrate the model with.
func fit(ctx context.Context, x compute.Points, y compute.Matrix, weights compute.Weights, classes []int, o *Options) (_ *Model, sample calibrate.Sample, err error) {
	err = cmp.Or(search.CheckMetric(pkg, o.Metric, x), search.CheckRange(pkg, o.Kernel, x, y), o.checkMemory(x.Rows, x.PerRow(), y.Cols))
	if err != nil {
		return nil, sample, err
	}
	m := progress.New(ctx, o.Recorder, pkg)
	defer m.Close()
	p, err := newProblem(x, y, weights, classes, o, m)
	if err != nil {
		return nil, sample, err
	}
	s, err := p.solve()
	if err != nil {
		return nil, sample, err
	}
	f, err := p.model(s)
	if err != nil {
		return nil, sample, err
	}
	return f, p.unseen(s), p.why()
}

// newProblem selects the options that are not given.
func newProblem(x compute.Points, y compute.Matrix, weights compute.Weights, classes []int, o *Options, m *progress.Monitor) (*problem, error) {
	p := &problem{
		options: o, x: x.Clone(), y: compute.Clone(y), weights: weights, classes: classes, means: make([]float64, y.Cols),
		of: gram.Evaluator{Kernel: kernel.Clone(o.Kernel), Workers: o.Workers}, noise: o.Ridge * float64(x.Rows), monitor: m,
	}
	p.report = Report{Status: rkhs.Converged, Rows: x.Rows}
	p.centre()
	for j, square := range compute.ColumnDots(p.y, p.y) {
		if !compute.Finite(square) {
			return nil, fmt.Errorf("ridge: the square of targets of column %d is %v: %w", j, square, rkhs.ErrDiverged)
		}
	}
	if o.Kernel != nil {
		if err := gram.Check(o.Kernel, x); err != nil {
			return nil, fmt.Errorf("ridge: %w", err)
		}
	}
	if err := p.search(); err != nil {
		return nil, err
	}
	if _, err := search.MeanDiagonal(pkg, p.of, p.x); err != nil {
		return nil, err
	}
	p.solver = o.solverOf(x.Rows, x.PerRow(), y.Cols)
	p.holdOut()
	p.noise = max(p.noise, nystrom.LeastNoise(p.of, p.x, p.weights))
	return p, nil
}

// pick returns the problem of some rows, with weights of mean one and the same means.
func (p *problem) pick(rows []int) problem {
	some := *p
	some.x, some.y = p.x.Pick(rows), compute.Pick(p.y, rows)
	some.weights, some.classes = input.MeanOne(p.weights.Pick(rows)), compute.PickOf(p.classes, rows)
	return some
}

// centre subtracts the means of the targets if a constant is free. It ignores the weights: the
// equations of all rows leave a constant residual free.
func (p *problem) centre() {
	if !p.options.NoIntercept {
		floats.Add(p.means, linalg.CentreColumns(compute.Dense(p.y)))
	}
}

// centre subtracts the weighted mean of each column and returns the means.
func centre(m compute.Matrix, weights compute.Weights) []float64 {
	means := linalg.CentreColumns(compute.Dense(m))
	if weights == nil {
		return means
	}
	// A large offset is gone, so the weighted sums lose no digits.
	rest := weights.Means(m)
	for i := range m.Rows {
		floats.Sub(compute.Row(m, i), rest)
	}
	floats.Add(means, rest)
	return means
}

// search selects the kernel and the noise unless both are given.
func (p *problem) search() error {
	o := p.options
	if o.Kernel != nil && o.Ridge > 0 {
		return nil
	}
	copied := 8 * int64(p.x.Rows) * int64(p.x.PerRow())
	options := search.Options{Kernel: p.of.Kernel, Weights: p.weights, Metric: o.Metric, Noise: p.noise, Rescore: true, Spread: true,
		MemoryLimit: max(1, o.MemoryLimit-copied), Seed: o.Seed, Workers: o.Workers}
	if err := options.CheckMemory(pkg, p.x.Rows, p.x.PerRow(), p.y.Cols); err != nil {
		return err
	}
	p.report.Search = search.Tune(p.x, p.y, p.classes, options.WithMonitor(p.monitor))
	p.of.Kernel, p.noise = p.report.Search.Kernel, p.report.Search.Noise
	return nil
}

// progress reports the progress and returns whether to go on.
func (p *problem) progress(phase string, done, total int) bool {
	p.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, ModelOrder: p.x.Rows, Objective: math.NaN(), Gap: math.NaN()})
	return !p.monitor.Stopped()
}

// drawing reports the number of landmarks drawn.
func (p *problem) drawing(done, most int) bool { return p.progress("centres", done, most) }

// why returns the reason why a solution did not reach a given tolerance, or nil.
func (p *problem) why() error {
	done := p.report.Status == rkhs.Converged || p.report.Status == rkhs.EarlyStopped
	if err := p.monitor.Err(); err != nil || p.options.Tolerance == 0 || done {
		return err
	}
	return fmt.Errorf("ridge: the relative residual is %.3g after %d iterations, Tolerance is %v: %w",
		largest(p.report.Residual), p.report.Iterations, p.options.tolerance(), rkhs.ErrNotConverged)
}
