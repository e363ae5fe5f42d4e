package metric

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Learn finds the metric, the family, the bandwidth and the ridge for a regression of
// targets y, n×q, on rows x, n×d, which may be rkhs.Weighted, standardised targets counting
// alike. Nil options mean the
// defaults. A search that is cancelled or stopped by the Recorder returns the best so far
// together with the error; data and options at fault return no result, and neither does
// rkhs.ErrMemory. O(m³ + m²·d) for m
// of Options.Rows, some hundred times, and O(d³) for full metrics, which are left out
// beyond 200 columns; O(m²·r·q + m·d·r) for those of Options.Rank r of q outputs.
func Learn(ctx context.Context, x, y mat.Matrix, opts *Options) (*Result, error) {
	o, err := opts.search()
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, door.Dense, x, y)
	if err != nil {
		return nil, err
	}
	o.Weights = door.MeanOne(w.Weights)
	return learn(ctx, w.X.Matrix, w.Y, nil, o, opts)
}

// LearnClasses is Learn for labels, n×1, any whole numbers: classes one against the rest,
// compared by their log loss.
func LearnClasses(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Result, error) {
	o, err := opts.search()
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, _, index, err := door.WeighedClasses(pkg, door.Dense, x, labels)
	if err != nil {
		return nil, err
	}
	o.Weights = w.Weights
	return learn(ctx, w.X.Matrix, compute.Matrix{}, index, o, opts)
}

// learn takes what has passed the door.
func learn(ctx context.Context, x, y compute.Matrix, class []int, o choose.Options, opts *Options) (*Result, error) {
	if err := o.CheckMemory(pkg, x.Rows, x.Cols, choose.OutputsOf(y, class)); err != nil {
		return nil, err
	}
	m := monitor.New(ctx, opts.recorder(), pkg)
	defer m.Close()
	c, learned := choose.TuneMetric(compute.DensePoints(x), y, class, o.Watched(m))
	return newResult(c, learned, x), m.Err()
}
