package svm

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	engine "github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// FitClassifier trains on rows x (n×d), which may be rkhs.Weighted, with labels (n×1, whole numbers).
// Nil options select the defaults. If the context or the Recorder stops the fit, or it does not
// converge, it returns its best model and the error. Invalid data and options return no model. A
// single label returns rkhs.ErrLabels.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	o, err := opts.enter(ctx, "FitClassifier", "Epsilon", "Nu")
	if err != nil {
		return nil, err
	}
	w, names, index, err := input.WeighedClasses(pkg, o.form(), x, labels)
	if err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	c := &Classifier{labels: names, order: defaultRanking(len(names))}
	err = p.classify(c, index)
	if c.model == nil {
		return nil, err
	}
	return c, err
}

// Fit trains on rows x (n×d), which may be rkhs.Weighted, with targets y (n×q), each column
// separately. Nil options select the defaults. Errors are as in FitClassifier.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.enter(ctx, "Fit", "Nu")
	if err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, o.form(), x, y)
	if err != nil {
		return nil, err
	}
	w.Weights = input.MeanOne(w.Weights)
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	return p.regress(w.Y)
}

// FitNovelty trains on rows x (n×d). Nil options select the defaults. Rows may be rkhs.Weighted;
// Options.Nu is then a fraction of the total weight. Errors are as in FitClassifier.
func FitNovelty(ctx context.Context, x mat.Matrix, opts *Options) (*Novelty, error) {
	o, err := opts.enter(ctx, "FitNovelty", "C", "Epsilon", "Metric", "NoCalibration")
	if err != nil {
		return nil, err
	}
	w, err := input.WeighedRows(pkg, o.form(), "x", x)
	if err != nil {
		return nil, err
	}
	w.Weights = input.MeanOne(w.Weights)
	o.Nu = cmp.Or(o.Nu, defaultNu)
	p, err := newProblem(ctx, x, w, o)
	if err != nil {
		return nil, err
	}
	defer p.monitor.Close()
	m, err := p.surround()
	if m == nil {
		return nil, err
	}
	return &Novelty{model: m, nu: o.Nu}, err
}

// problem is the state of a fit.
type problem struct {
	options *Options
	of      gram.Evaluator
	x       compute.Points  // rows, or their numbers in a Gram matrix
	weights compute.Weights // of mean one, or nil
	first   []int           // first copies of equal rows, or nil
	inputs  int             // d, or the number of columns of the Gram matrix
	columns []int           // of the Gram matrix, for the rows with weight
	unit    float64         // of the kernel; see spread
	monitor *progress.Monitor
	report  Report
}

// newProblem checks the validated rows w of x against the options.
func newProblem(ctx context.Context, x mat.Matrix, w input.Weighed, o *Options) (*problem, error) {
	n, _ := x.Dims()
	p := &problem{options: o, x: w.X, weights: w.Weights, inputs: w.X.Cols, columns: w.Kept,
		of: gram.Evaluator{Kernel: kernel.Clone(o.Kernel), Workers: o.Workers}}
	if p.columns == nil {
		p.columns = compute.Indices(n)
	}
	p.report = Report{Status: rkhs.Converged, Rows: w.X.Rows}
	var err error
	switch {
	case o.Precomputed:
		if err = checkGram(p.x.Matrix, p.columns, n); err == nil {
			p.of.Kernel, p.x = precomputed{p.x.Matrix, p.columns}, numbers(p.x.Rows)
		}
	case o.Kernel != nil:
		if err = gram.Check(o.Kernel, p.x); err != nil {
			err = fmt.Errorf("svm: %w", err)
		}
	default:
		err = cmp.Or(search.CheckMetric(pkg, o.Metric, p.x), search.CheckRange(pkg, nil, p.x, compute.Matrix{}))
	}
	if err != nil {
		return nil, err
	}
	// The least memory is two copies of the rows, the variables, and a working set of Gram rows.
	const workingRows, vectors = 512, 32
	bytes := 8 * float64(p.x.Rows) * float64(2*p.x.PerRow()+workingRows+vectors)
	if err := input.Memory(pkg, fmt.Sprintf("%d rows", n), bytes, o.MemoryLimit); err != nil {
		return nil, err
	}
	p.monitor = progress.New(ctx, o.Recorder, pkg)
	return p, nil
}

// mostCache is the largest cache of the Gram matrix in bytes.
const mostCache = 256 << 20

// engine returns the options of a solver. Several problems may be solved concurrently.
func (p *problem) engine(concurrent int) engine.Options {
	o := p.options
	cache := min(mostCache, o.MemoryLimit/8)
	if concurrent > 1 {
		cache /= 4
	}
	return engine.Options{Workers: o.Workers, CacheBytes: max(1, cache), MaxIterations: o.Iterations, Weights: p.weights,
		Tolerance: o.Tolerance, Gap: o.Tolerance, Report: p.progress("fit", 0, 0)}
}

// progress returns a function that reports the steps of a solver.
func (p *problem) progress(phase string, done, total int) func(steps int, violation float64) {
	return func(steps int, violation float64) {
		p.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: steps, Objective: nan, Gap: violation})
	}
}

// classify sets the model of c, and its probabilities, for the classes of the rows.
func (p *problem) classify(c *Classifier, class []int) error {
	if err := p.selectKernel(compute.NewMatrix(p.x.Rows, 1), class); err != nil {
		return err
	}
	p.first = p.x.FirstCopies(compute.Matrix{}, class)
	f, err := p.train(p.classifiers(class, c.order))
	if err != nil {
		return err
	}
	if c.model, err = p.model(f.weights, f.intercept); err != nil {
		return err
	}
	sample := p.heldOut(compute.Matrix{}, []trained{f})
	c.probabilities = calibrate.FitClasses(sample, len(c.labels), calibrate.OfPairs, nil)
	return p.monitor.Err()
}

// regress returns the model of each column of y.
func (p *problem) regress(y compute.Matrix) (*Model, error) {
	if err := search.CheckRange(pkg, p.of.Kernel, p.x, y); err != nil {
		return nil, err
	}
	if err := p.selectKernel(y, nil); err != nil {
		return nil, err
	}
	p.first = p.x.FirstCopies(y, nil)
	weights, intercept := compute.NewMatrix(p.x.Rows, y.Cols), make([]float64, y.Cols)
	all := make([]trained, y.Cols)
	for o := range all {
		m, err := p.regression(y, o)
		if err != nil {
			return nil, err
		}
		if all[o], err = p.train(m); err != nil {
			return nil, err
		}
		for i, b := range all[o].weights.Data {
			compute.Row(weights, i)[o] = m.unit * b
		}
		intercept[o] = m.unit*all[o].intercept[0] + m.mean
	}
	m, err := p.model(weights, intercept)
	if err == nil {
		m.intervals, err = calibrate.FitIntervals(p.heldOut(y, all)), p.monitor.Err()
	}
	return m, err
}

// surround returns the function that is positive where the rows are.
func (p *problem) surround() (*Model, error) {
	if !p.options.Precomputed {
		k, err := search.Kernel(pkg, p.of.Kernel, p.x, 1, p.options.Seed)
		if err != nil {
			return nil, err
		}
		p.of.Kernel = k
	}
	size, err := search.MeanDiagonal(pkg, p.of, p.x)
	if err != nil {
		return nil, err
	}
	if !(size > 0) {
		return nil, fmt.Errorf("svm: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
	}
	o := p.engine(1)
	o.Tolerance *= size
	p.progress("fit", 0, 0)(0, nan)
	s, err := engine.OneClass(p.monitor.Context(), p.of.Kernel, p.x, p.options.Nu, o)
	if s == nil {
		return nil, cmp.Or(p.monitor.Err(), err)
	}
	p.add(s, 1)
	return p.model(compute.ColumnOf(s.Beta), []float64{-inside(-s.Bias)})
}

// why returns the reason why a solution ended before the tolerance.
func (p *problem) why() error {
	r := &p.report
	if err := p.monitor.Err(); err != nil {
		r.Status = p.monitor.Status()
		return err
	}
	if r.Status == rkhs.Converged || !p.options.strict {
		return nil
	}
	return fmt.Errorf("svm: %v after %d steps, at violations of %.3g and relative gaps of %.3g: %w",
		r.Status, r.Iterations, r.Violation, r.Gap, rkhs.ErrNotConverged)
}
