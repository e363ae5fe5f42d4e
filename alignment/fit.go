package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// run is one call of Search, Fit or FitClassifier.
type run struct {
	options *settings
	monitor *monitor.Monitor
}

// newRun validates the context and the options. Its monitor must be closed.
func newRun(ctx context.Context, m mode, opts *Options) (*run, error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	s, err := opts.settings(m)
	if err != nil {
		return nil, err
	}
	return &run{options: s, monitor: monitor.New(ctx, s.Recorder, pkg)}, nil
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
// matrix: O(n³/3). Otherwise f is spanned by m ≤ 6600 randomly drawn rows, where m is
// smaller for larger n so that 2n·m² is at most 1.4e12. A fit that is cancelled or stopped
// by the Recorder returns the error with a model that has the best kernel so far and is
// fitted to at most 1000 rows.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	r, err := newRun(ctx, fitting, opts)
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	t, err := newTask(x, y, r.options)
	if err != nil {
		return nil, err
	}
	learned, err := r.search(t)
	if err != nil {
		return nil, err
	}
	m, sample, err := r.fitRidge(t, learned)
	if err != nil {
		return nil, err
	}
	m.intervals = calibrate.FitIntervals(sample)
	return m, r.monitor.Err()
}

// fitRidge fits ridge regression to all rows. It also returns predictions of unseen rows.
func (r *run) fitRidge(t *task, learned *Result) (*Model, calibrate.Sample, error) {
	f := newRidge(r, learned.simplest(), t.all)
	g, err := f.fit(r.options.ridgeOf(learned))
	if err != nil {
		return nil, calibrate.Sample{}, err
	}
	return newModel(r.options, learned, g), r.unseenByRidge(t, f, g), nil
}

// ridgeOf returns the given or selected ridge. A stopped search may have selected no
// ridge; the normalised kernel then gets a tenth of its mean diagonal.
func (s *settings) ridgeOf(learned *Result) float64 {
	switch {
	case len(s.Ridge) == 1:
		return s.Ridge[0]
	case learned.Choice.Noise > 0:
		return learned.Choice.Noise
	}
	return 0.1
}
