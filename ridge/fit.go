package ridge

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// Fit learns a function of rows x (n×d) from their targets y (n×q). Nil options mean the
// defaults. Rows may be rkhs.Weighted: the loss of row i then counts w_i times, weights
// being taken as of mean one. A fit that is cancelled, stopped by the Recorder or not converged returns its
// best model together with the error; data and options at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked()
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
	m, sample, err := fit(ctx, w.X, w.Y, door.MeanOne(w.Weights), nil, &o)
	if m != nil {
		m.intervals = calibrate.FitIntervals(sample)
	}
	return m, err
}

// FitClassifier learns labels (n×1, any whole numbers) of rows x (n×d): it is Fit for
// targets of a column for each label, 1 in its rows and −1 in others, or for two labels a
// single one. A single label is rkhs.ErrLabels.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, names, index, err := door.WeighedClasses(pkg, door.Points, x, labels)
	if err != nil {
		return nil, err
	}
	outputs := len(names)
	if outputs == 2 {
		outputs = 1
	}
	m, sample, err := fit(ctx, w.X, door.Targets(index, outputs), w.Weights, index, &o)
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: names, probabilities: calibrate.FitClasses(sample, len(names), calibrate.OfClasses, nil)}, err
}

// problem is a regression whose kernel and noise are known.
type problem struct {
	options *Options
	of      gram.Evaluator
	x       compute.Points
	y       compute.Matrix  // less its means
	weights compute.Weights // of the rows, of mean one, or nil
	classes []int           // of the rows, or nil
	means   []float64       // zeros without a constant
	noise   float64         // n·lam
	way     way
	held    *heldOut // nil unless rows are held out
	slow    slowness
	monitor *monitor.Monitor
	report  Report
	sample  calibrate.Sample // of rows that were left out one by one
}

// fit takes what has passed the door. It also returns what the model is calibrated by.
func fit(ctx context.Context, x compute.Points, y compute.Matrix, weights compute.Weights, classes []int, o *Options) (_ *Model, sample calibrate.Sample, err error) {
	if err = choose.CheckMetric(pkg, o.Metric, x); err != nil {
		return nil, sample, err
	}
	if err = choose.CheckRange(pkg, o.Kernel, x, y); err != nil {
		return nil, sample, err
	}
	if err = o.checkMemory(x.Rows, x.PerRow(), y.Cols); err != nil {
		return nil, sample, err
	}
	m := monitor.New(ctx, o.Recorder, pkg)
	defer m.Close()
	p, err := newProblem(x, y, weights, classes, o, m)
	if err != nil {
		return nil, sample, err
	}
	s, err := p.solve()
	if err != nil {
		return nil, sample, err
	}
	f, err := newModel(p, s)
	if err != nil {
		return nil, sample, err
	}
	return f, p.outOfSample(s), p.why()
}

// newProblem finds what is not given.
func newProblem(x compute.Points, y compute.Matrix, weights compute.Weights, classes []int, o *Options, m *monitor.Monitor) (*problem, error) {
	p := &problem{options: o, x: x.Clone(), y: compute.Clone(y), weights: weights, classes: classes, means: make([]float64, y.Cols), monitor: m,
		of: gram.Evaluator{Kernel: kernel.Clone(o.Kernel), Workers: o.Workers}, noise: o.Ridge * float64(x.Rows)}
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
	if err := p.choose(); err != nil {
		return nil, err
	}
	if _, err := choose.MeanDiagonal(pkg, p.of, p.x); err != nil {
		return nil, err
	}
	p.way = o.wayOf(x.Rows, x.PerRow(), y.Cols)
	p.holdOut()
	p.noise = max(p.noise, centres.LeastNoise(p.of, p.x, p.weights))
	return p, nil
}

// centre takes what targets have of a mean, where a constant is free: that of the rows
// whatever their weights, since what the equations of all rows leave free is a constant
// residual.
func (p *problem) centre() {
	if !p.options.NoIntercept {
		floats.Add(p.means, linalg.CentreColumns(p.y))
	}
}

// choose sets kernel and noise where they are not given.
func (p *problem) choose() error {
	o := p.options
	if o.Kernel != nil && o.Ridge > 0 {
		return nil
	}
	search := choose.Options{Kernel: p.of.Kernel, Weights: p.weights, Metric: o.Metric, Noise: p.noise, Enlarge: true, Spread: true, MemoryLimit: o.searchMemory(p.x), Seed: o.Seed, Workers: o.Workers}
	if err := search.CheckMemory(pkg, p.x.Rows, p.x.PerRow(), p.y.Cols); err != nil {
		return err
	}
	c := choose.Tune(p.x, p.y, p.classes, search.Watched(p.monitor))
	p.report.Choice, p.of.Kernel, p.noise = c, c.Kernel, c.Noise
	return nil
}

// why returns why a solution ended short of the tolerance, if it did and one was asked for.
func (p *problem) why() error {
	if err := p.monitor.Err(); err != nil || p.options.Tolerance == 0 || p.report.Status == rkhs.Converged || p.report.Status == rkhs.EarlyStopped {
		return err
	}
	return fmt.Errorf("ridge: the relative residual is %.3g after %d iterations, Tolerance is %v: %w",
		largest(p.report.Residual), p.report.Iterations, p.options.tolerance(), rkhs.ErrNotConverged)
}
