package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Fit learns a kernel from rows x (n×d) and targets y (n×q) as Search does, and
// then the function
//
//	min_f Σ_i ‖y_i − ȳ − f(x_i)‖² + ridge·‖f‖²
//
// of its space. Ridge, and Shrink where it applies, are chosen on validation
// rows; unless those were given, kernel and function are then learned from all
// rows. Where all rows are equal, or all targets, the model is the mean of the
// targets in effect. Nil options mean the defaults.
//
// It holds two n×n matrices: O(n²) memory, O(n³) time for each value of Ridge.
// For many rows, search on some and give the kernel to another learner. A fit
// that is cancelled, or stopped by the Recorder, returns its model so far
// together with the error.
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
	n := float64(t.all.x.Rows)
	if err := door.Memory(pkg, "Gram matrix and its factor", 16*n*n, s.MemoryLimit); err != nil {
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

// regress chooses on the rows set aside and fits to all rows.
func regress(t *task, s *settings, r *monitor.Monitor) (*Model, error) {
	search := newSearch(s, r)
	learned, err := search.choose(t)
	if err != nil {
		return nil, err
	}
	from := t.all.pick(t.learn)
	weight, heldOutLoss := s.Ridge[len(s.Ridge)/2], 0.0
	if t.check.x.Rows > 0 {
		weight, heldOutLoss = newRidge(learned.simplest(), from, s.Workers).choose(s.Ridge, t.check, r)
	}
	if t.divided() && !r.Stopped() {
		if learned, err = search.learn(t.all, learned.Shrink); err != nil {
			return nil, err
		}
		from = t.all
	}
	f := newRidge(learned.simplest(), from, s.Workers)
	weights, report, err := f.fit(weight, r)
	if err != nil {
		return nil, err
	}
	if compute.Finite(heldOutLoss) {
		report.HeldOutLoss = heldOutLoss
	}
	return newModel(s, learned, from.x, weights, f.mean, report), nil
}
