package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// run is one call of Search, SearchClasses, Fit or FitClassifier.
type run struct {
	options *settings
	monitor *progress.Monitor
	task    *task
}

// newRun validates the arguments of a run. Its monitor must be closed.
func newRun(ctx context.Context, m mode, x, y mat.Matrix, opts *Options) (*run, error) {
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	s, err := opts.settings(m)
	if err != nil {
		return nil, err
	}
	t, err := newTask(x, y, s)
	if err != nil {
		return nil, err
	}
	return &run{options: s, monitor: progress.New(ctx, s.Recorder, pkg), task: t}, nil
}

// Fit learns a kernel from rows x (n×d) and targets y (n×q) as Search does. It then
// minimises
//
//	Σ_i w_i·‖y_i − b − f(x_i)‖² + ridge·‖f‖²
//
// over functions f of the kernel's space and constants b. The weights w of rkhs.Weighted
// rows are scaled to mean one. Ridge is selected by the error on unseen rows. The mean
// prediction on the rows equals the mean target. The model is constant if all rows or all
// targets are equal. Nil options select the defaults.
//
// Up to 16000 rows the solution is exact, if MemoryLimit allows the 8n² bytes of the Gram
// matrix: O(n³/3). Otherwise f is spanned by m ≤ 6600 randomly drawn rows, where m is smaller
// for larger n so that 2n·m² is at most 1.4e12. If the context or the Recorder stops the fit,
// it returns the error and a model of at most 1000 rows with the best kernel so far.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	r, err := newRun(ctx, fitting, x, y, opts)
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	m, sample, err := r.model()
	if err != nil {
		return nil, err
	}
	m.intervals = calibrate.FitIntervals(sample)
	return m, r.monitor.Err()
}

// model learns the kernel and fits the model to all rows. It also returns predictions of
// unseen rows for calibration.
func (r *run) model() (*Model, calibrate.Sample, error) {
	learned, err := r.search()
	if err != nil {
		return nil, calibrate.Sample{}, err
	}
	if r.options.machines {
		return r.fitMachines(learned)
	}
	f := newRidge(r, learned.simplest(), r.task.all)
	g, err := f.fit(r.options.ridgeOf(learned))
	if err != nil {
		return nil, calibrate.Sample{}, err
	}
	return newModel(r.options, learned, g), r.unseenByRidge(f, g), nil
}

// ridgeOf returns the given or selected ridge. A stopped search may have selected no
// ridge; the normalised kernel then gets a tenth of its mean diagonal.
func (s *settings) ridgeOf(learned *Result) float64 {
	switch {
	case len(s.Ridge) == 1:
		return s.Ridge[0]
	case learned.Search.Noise > 0:
		return learned.Search.Noise
	}
	return 0.1
}

// unseen returns predictions of held-out rows, each set by a fit to all other rows. predict
// returns false if it failed.
func (r *run) unseen(predict func(train, heldOut examples) (scores compute.Matrix, ok bool)) (sample calibrate.Sample) {
	all := r.task.all
	n := all.x.Rows
	if r.options.NoCalibration || r.monitor.Stopped() {
		return sample
	}
	for _, set := range calibrate.Sets(n, n, all.class, calibrate.Refits(calibrate.MostSets), r.options.Seed, all.firstCopies()) {
		heldOut := all.pick(set)
		scores, ok := predict(all.pick(calibrate.Others(n, set)), heldOut)
		if !ok || r.monitor.Stopped() {
			return calibrate.Sample{}
		}
		part := calibrate.Sample{X: compute.DensePoints(heldOut.x), Scores: scores, Class: heldOut.class, Weights: heldOut.weights}
		if heldOut.class == nil {
			part.Targets = heldOut.y
		}
		sample = sample.With(part)
	}
	return sample
}

// unseenByRidge returns leave-one-out predictions of an exact solution g of f, or the
// result of unseen. Leave-one-out needs O(n) memory in addition to the factor, while a
// separate fit needs another Gram matrix.
func (r *run) unseenByRidge(f *ridge, g *solution) calibrate.Sample {
	if f.factor != nil && f.x.Rows <= calibrate.MostRows && !r.options.NoCalibration && !r.monitor.Stopped() {
		return f.leaveOneOut(g)
	}
	kernel, weight := f.kernel.Kernel, g.report.Ridge
	f.factor = nil // release its memory
	return r.unseen(func(train, heldOut examples) (compute.Matrix, bool) {
		f := newRidge(r, kernel, train)
		g, err := f.fit(weight)
		if err != nil {
			return compute.Matrix{}, false
		}
		return f.predict(g, heldOut.x), true
	})
}
