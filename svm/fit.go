package svm

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	engine "github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// FitClassifier learns labels (n×1, any whole numbers) of rows x (n×d), two labels or more,
// one against one. Nil options mean the defaults. Rows may be rkhs.Weighted: see Options.C, and
// dataset.Balanced for labels that are to count alike. A fit that is cancelled, stopped by the
// Recorder or not converged returns its best model together with the error; data and options at
// fault return no model. A single label is rkhs.ErrLabels.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	o, err := opts.enter(ctx, "FitClassifier", "Epsilon", "Fraction")
	if err != nil {
		return nil, err
	}
	w, names, index, err := door.WeighedClasses(pkg, o.form(), x, labels)
	if err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	m, sample, err := p.classify(index, len(names))
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: names, order: defaultOrder(len(names)), probabilities: calibrate.FitClasses(sample, len(names), calibrate.OfPairs, nil)}, err
}

// Fit learns functions of rows x (n×d) from their targets y (n×q), each column by itself. Nil
// options mean the defaults. Rows may be rkhs.Weighted: see Options.C. Errors are as those of
// FitClassifier.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.enter(ctx, "Fit", "Fraction")
	if err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, o.form(), x, y)
	if err != nil {
		return nil, err
	}
	w.Weights = door.MeanOne(w.Weights)
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	return p.regress(w.Y)
}

// FitNovelty learns where rows x (n×d) lie. Nil options mean the defaults. Rows may be
// rkhs.Weighted: Options.Fraction is then that of the weights. Errors are as those of
// FitClassifier.
func FitNovelty(ctx context.Context, x mat.Matrix, opts *Options) (*Novelty, error) {
	o, err := opts.enter(ctx, "FitNovelty", "C", "Epsilon", "Metric", "Uncalibrated")
	if err != nil {
		return nil, err
	}
	w, err := door.WeighedRows(pkg, o.form(), "x", x)
	if err != nil {
		return nil, err
	}
	w.Weights = door.MeanOne(w.Weights)
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	nu := cmp.Or(o.Fraction, defaultFraction)
	m, err := p.surround(nu)
	if m == nil {
		return nil, err
	}
	return &Novelty{model: m, fraction: nu}, err
}

// enter checks what comes before the rows.
func (o *Options) enter(ctx context.Context, mode string, unused ...string) (*Options, error) {
	c, err := o.checked()
	if err != nil {
		return nil, err
	}
	if err := door.Refuse(pkg, mode, c.unused(unused...)); err != nil {
		return nil, err
	}
	return &c, door.Context(pkg, ctx)
}

// form is how rows are taken.
func (o *Options) form() door.Form {
	if o.Precomputed {
		return door.Dense
	}
	return door.Points
}

// problem is what a fit works on.
type problem struct {
	options *Options
	of      gram.Evaluator
	x       compute.Points  // rows, or the numbers of those of a Gram matrix
	weights compute.Weights // of mean one, or nil
	first   []int           // of equal rows the first, or nil
	inputs  int             // d, or the rows of the Gram matrix
	columns []int           // those of the Gram matrix that are rows with weight
	unit    float64         // of the kernel: half the mean square of distances in its space
	monitor *monitor.Monitor
	report  Report
}

// newProblem takes rows that have passed the door, of those of x.
func newProblem(ctx context.Context, x mat.Matrix, w door.Weighed, o *Options) (*problem, error) {
	n, _ := x.Dims()
	p := &problem{options: o, x: w.X, weights: w.Weights, inputs: w.X.Cols, columns: w.Kept,
		of: gram.Evaluator{Kernel: kernel.Clone(o.Kernel), Workers: o.Workers}}
	if p.columns == nil {
		p.columns = compute.Indices(n)
	}
	p.report = Report{Status: rkhs.Converged, Rows: w.X.Rows}
	if err := p.check(n); err != nil {
		return nil, err
	}
	p.monitor = monitor.New(ctx, o.Recorder, pkg)
	return p, nil
}

// check refuses rows that do not go with the options.
func (p *problem) check(n int) error {
	o := p.options
	if o.Precomputed {
		if err := checkGram(p.x.Matrix, p.columns, n); err != nil {
			return err
		}
		p.of.Kernel, p.x = precomputed{p.x.Matrix, p.columns}, numbers(p.x.Rows)
	} else if o.Kernel != nil {
		if err := gram.Check(o.Kernel, p.x); err != nil {
			return fmt.Errorf("svm: %w", err)
		}
	} else if err := cmp.Or(choose.CheckMetric(pkg, o.Metric, p.x), choose.CheckRange(pkg, nil, p.x, compute.Matrix{})); err != nil {
		return err
	}
	return door.Memory(pkg, fmt.Sprintf("%d rows", n), fitBytes(p.x.Rows, p.x.PerRow()), o.MemoryLimit)
}

// fitBytes is what a fit needs at least: the rows twice, the variables, and a working set of
// rows of the Gram matrix.
func fitBytes(n, d int) float64 { return 8 * float64(n) * float64(2*d+workingRows+vectors) }

const (
	workingRows = 512
	vectors     = 32
	mostCache   = 256 << 20
)

// engine returns the options of a solver for some of the rows, or all, of which there are as
// many problems side by side.
func (p *problem) engine(together int) engine.Options {
	o := p.options
	cache := min(mostCache, o.MemoryLimit/8)
	if together > 1 {
		cache /= 4
	}
	return engine.Options{Workers: o.Workers, CacheBytes: max(1, cache), MaxIterations: o.Iterations, Weights: p.weights,
		Tolerance: o.Tolerance, Gap: o.Tolerance, Report: p.progress("fit", 0, 0)}
}

// progress returns what reports the steps of a solver in a phase.
func (p *problem) progress(phase string, done, total int) func(steps int, violation float64) {
	return func(steps int, violation float64) {
		p.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: steps, Objective: nan, Gap: violation})
	}
}

// classify learns from classes. It also returns what the model is calibrated by.
func (p *problem) classify(class []int, count int) (m *Model, sample calibrate.Sample, err error) {
	if err := p.chooseKernel(compute.NewMatrix(p.x.Rows, 1), class); err != nil {
		return nil, sample, err
	}
	p.first = p.x.FirstCopies(compute.Matrix{}, class)
	pairs := count * (count - 1) / 2
	of := others{labelled{class, count, votes{count, defaultOrder(count)}.decide}, []float64{p.options.C}}
	if p.options.C == 0 {
		if of.cs, err = p.choosePath(of.of, class, 1); err != nil {
			return nil, sample, err
		}
	}
	path := of.cs
	p.report.C = path[len(path)-1:]
	p.progress("fit", 0, 0)(0, nan)
	list, err := engine.PathClasses(p.monitor.Context(), p.of.Kernel, p.x, class, count, path, p.engine(pairs))
	if len(list) == 0 {
		return nil, sample, p.fault(err)
	}
	last := list[len(list)-1]
	weights := compute.NewMatrix(p.x.Rows, pairs)
	intercept := last.Coefficients(weights)
	for _, s := range last.Pairs {
		p.add(s, 1)
	}
	if m, err = p.model(weights, intercept); err == nil {
		sample, _ = p.outOfSample(class, []others{of})
		err = p.monitor.Err()
	}
	return m, sample, err
}

// add takes the solution of an output in units of the targets.
func (p *problem) add(s *engine.Solution, unit float64) {
	r := &p.report
	if r.Status == rkhs.Converged && s.Status != rkhs.Converged {
		r.Status = s.Status
	}
	r.Iterations += s.Iterations
	r.SupportVectors, r.Bounded = append(r.SupportVectors, len(s.Support())), append(r.Bounded, s.Bounded)
	square := unit * unit
	r.Dual, r.Primal = append(r.Dual, square*s.Objective), append(r.Primal, square*(s.Objective+s.Gap))
	r.Gap, r.Violation = append(r.Gap, s.Relative), append(r.Violation, unit*s.Violation)
}

// regress learns each column of y.
func (p *problem) regress(y compute.Matrix) (*Model, error) {
	if err := choose.CheckRange(pkg, p.of.Kernel, p.x, y); err != nil {
		return nil, err
	}
	if err := p.chooseKernel(y, nil); err != nil {
		return nil, err
	}
	p.first = p.x.FirstCopies(y, nil)
	weights, intercept := compute.NewMatrix(p.x.Rows, y.Cols), make([]float64, y.Cols)
	var all []others
	for o := range y.Cols {
		t, err := p.target(y, o)
		if err != nil {
			return nil, err
		}
		s, path, err := p.output(t)
		if s == nil {
			return nil, err
		}
		all = append(all, others{t, path})
		for i, b := range s.Beta {
			compute.Row(weights, i)[o] = t.unit * b
		}
		intercept[o] = t.unit*s.Bias + t.mean
	}
	m, err := p.model(weights, intercept)
	if err == nil {
		m.intervals, err = p.intervals(y, all), p.monitor.Err()
	}
	return m, err
}

// output solves for one column of targets, for each C up to its own.
func (p *problem) output(t *target) (s *engine.Solution, path []float64, err error) {
	path = []float64{p.options.C / t.unit}
	if p.options.C == 0 {
		if path, err = p.choosePath(t, make([]int, p.x.Rows), t.unit); err != nil {
			return nil, nil, err
		}
	}
	p.report.C, p.report.Epsilon = append(p.report.C, t.unit*path[len(path)-1]), append(p.report.Epsilon, t.unit*t.epsilon)
	p.progress("fit", len(p.report.C)-1, 0)(0, nan)
	list, err := engine.PathRegression(p.monitor.Context(), p.of.Kernel, p.x, t.y, t.epsilon, path, p.engine(1))
	if len(list) == 0 {
		return nil, nil, p.fault(err)
	}
	s = list[len(list)-1]
	p.add(s, t.unit)
	return s, path, nil
}

// surround learns where the rows lie.
func (p *problem) surround(nu float64) (*Model, error) {
	if !p.options.Precomputed {
		k, err := choose.Kernel(pkg, p.of.Kernel, p.x, 1, p.options.Seed)
		if err != nil {
			return nil, err
		}
		p.of.Kernel = k
	}
	size, err := choose.MeanDiagonal(pkg, p.of, p.x)
	if err != nil {
		return nil, err
	}
	if !(size > 0) {
		return nil, fmt.Errorf("svm: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
	}
	o := p.engine(1)
	o.Tolerance *= size
	p.progress("fit", 0, 0)(0, nan)
	s, err := engine.OneClass(p.monitor.Context(), p.of.Kernel, p.x, nu, o)
	if s == nil {
		return nil, p.fault(err)
	}
	p.add(s, 1)
	weights := compute.NewMatrix(p.x.Rows, 1)
	copy(weights.Data, s.Beta)
	return p.model(weights, []float64{-inside(-s.Bias)})
}

// fault returns the error of an engine that has no solution: of the monitor, if it stopped it.
func (p *problem) fault(err error) error {
	if stop := p.monitor.Err(); stop != nil {
		return stop
	}
	return err
}

// why returns why a solution ended short of the tolerance, if it did.
func (p *problem) why() error {
	r := &p.report
	if err := p.monitor.Err(); err != nil {
		r.Status = p.monitor.Status()
		return err
	}
	if r.Status == rkhs.Converged || !p.options.strict {
		return nil
	}
	return fmt.Errorf("svm: %v after %d steps, at violations of %.3g and relative gaps of %.3g: %w", r.Status, r.Iterations, r.Violation, r.Gap, rkhs.ErrNotConverged)
}
