package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Fit learns a kernel from rows x (n×d) and targets y (n×q) as Search does, and
// then the function and the constants, which are not penalised,
//
//	min_f,b Σ_i ‖y_i − b − f(x_i)‖² + ridge·‖f‖²
//
// of its space, each loss times the weight of its row if rows are rkhs.Weighted, weights being
// taken as of mean one. Ridge is chosen by errors on rows not learned from. The mean of the predictions of
// the rows is that of their targets. Where all rows are equal, or all targets, the model
// is that mean. Nil options mean the defaults.
//
// Up to 16000 rows, if MemoryLimit has room for their Gram matrix, the solution is exact:
// 8n² bytes, n³/3 operations. Otherwise f is of the span of m rows drawn at random: m
// goes down with n from 6600, so that 2n·m² operations are 1.4e12. The points of the model
// are these rows. A fit that is cancelled, or stopped by the Recorder, returns a model of
// the best kernel so far, on at most 1000 rows, together with the error.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	s, err := opts.settings(fitting)
	if err != nil {
		return nil, err
	}
	t, err := newTask(x, y, s)
	if err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	m, err := regress(t, s, r)
	if err != nil {
		return nil, err
	}
	return m, r.Err()
}

// regress learns the kernel and then the function, from all rows.
func regress(t *task, s *settings, r *monitor.Monitor) (*Model, error) {
	learned, err := newSearch(s, r).best(t)
	if err != nil {
		return nil, err
	}
	k, weight := learned.simplest(), s.ridgeOf(learned)
	f := newRidge(k, t.all, s, r)
	g, err := f.fit(weight)
	if err != nil {
		return nil, err
	}
	m := newModel(s, learned, g)
	m.intervals = calibrate.FitIntervals(otherRidges(f, g, t, s, r))
	return m, nil
}

// ridgeOf returns the ridge that is given, or that was chosen; a search that was stopped
// may have none, and then it is a tenth of k(x, x).
func (s *settings) ridgeOf(learned *Result) float64 {
	switch {
	case len(s.Ridge) == 1:
		return s.Ridge[0]
	case learned.Choice.Noise > 0:
		return learned.Choice.Noise
	}
	return 0.1
}
