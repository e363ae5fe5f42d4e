package metric

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
)

// Learn finds metric, family, bandwidth and ridge for a regression of targets y, n×q, on rows x, n×d,
// which may be rkhs.Weighted. It standardizes the targets. Nil options select the defaults. A
// cancelled or stopped search returns the best result so far with the error. Invalid data or options
// and rkhs.ErrMemory return no result. O(m³ + m²·d) for m = Options.Rows, about a hundred times, plus
// O(d³) for full metrics, which it skips for more than 200 columns, or O(m²·r·q + m·d·r) for
// Options.Rank r.
func Learn(ctx context.Context, x, y mat.Matrix, opts *Options) (*Result, error) {
	o, err := opts.search()
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, input.Dense, x, y)
	if err != nil {
		return nil, err
	}
	o.Weights = input.MeanOne(w.Weights)
	return learn(ctx, w.X.Matrix, w.Y, nil, o, opts)
}

// LearnClasses is Learn for labels, n×1, of any integers: one class against the rest, compared by
// their log loss.
func LearnClasses(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Result, error) {
	o, err := opts.search()
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, _, index, err := input.WeighedClasses(pkg, input.Dense, x, labels)
	if err != nil {
		return nil, err
	}
	o.Weights = w.Weights
	return learn(ctx, w.X.Matrix, compute.Matrix{}, index, o, opts)
}

// learn runs the search on validated input.
func learn(ctx context.Context, x, y compute.Matrix, class []int, o search.Options, opts *Options) (*Result, error) {
	if err := o.CheckMemory(pkg, x.Rows, x.Cols, search.OutputsOf(y, class)); err != nil {
		return nil, err
	}
	m := progress.New(ctx, opts.recorder(), pkg)
	defer m.Close()
	c, learned := search.TuneMetric(compute.DensePoints(x), y, class, o.WithMonitor(m))
	return newResult(c, learned, x), m.Err()
}
