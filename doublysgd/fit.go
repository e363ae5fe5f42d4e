package doublysgd

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Fit learns from rows x (n×d) and targets y (n×q), one function for each column of y, or for
// each of Options.Quantiles. Nil options mean the defaults. Rows may be rkhs.Weighted: the loss
// of a row counts as often as its weight says. Newton and Plain mode, which draw rows, take
// those of larger weight no more often, but in longer steps.
//
// In Revisit mode with D features in blocks of m the first pass takes
// O(n·D·(d + m + q)) time, later ones O(n·D·(d + q)), and the memory is
// O(n·(d + q) + D·(m + q)). A fit that is cancelled, stopped by the Recorder or
// not converged returns its best model together with the error; data and options
// at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings(0, false)
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
	if w.Y, err = s.targets(w.Y); err != nil {
		return nil, err
	}
	w.Weights = door.MeanOne(w.Weights)
	t, err := newTask(s, w, nil)
	if err != nil {
		return nil, err
	}
	m, sample, err := t.fit(ctx)
	if m != nil {
		m.f.quantiles, m.intervals = s.Quantiles, calibrate.FitIntervals(sample)
	}
	return m, err
}
