package slkl

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// LearnerFrom returns a learner that has seen nothing, with the landmarks and the kernels that
// Fit takes for a sample of the rows to come, x (n×d) and y (n×q), where opts leave them open:
// landmarks are drawn from the sample, and the kernel is the one that predicts its rows best.
// Errors are those of Fit and NewLearner; a search that is cancelled returns the learner
// with the best kernel so far and the error.
func LearnerFrom(ctx context.Context, x, y mat.Matrix, opts *Options) (*Learner, error) {
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	return learnerFrom(ctx, task{x: w.X, y: w.Y, weights: door.MeanOne(w.Weights)}, opts)
}

// ClassLearnerFrom is LearnerFrom for labels: all that there will be, and those of the rows of
// the sample, n×1, which need not have each of them.
func ClassLearnerFrom(ctx context.Context, labels []int, x, y mat.Matrix, opts *Options) (*ClassLearner, error) {
	sorted, err := door.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	w, err := door.WeighedLabels(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	index, err := door.Known(pkg, w.Y, sorted)
	if err != nil {
		return nil, err
	}
	l, err := learnerFrom(ctx, task{x: w.X, y: targets(index, len(sorted)), weights: door.MeanOne(w.Weights), classes: index}, opts)
	if l == nil {
		return nil, err
	}
	return &ClassLearner{learner: l, labels: sorted}, err
}

func learnerFrom(ctx context.Context, k task, opts *Options) (*Learner, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	if s.LowMemory {
		return nil, fmt.Errorf("slkl: a learner has no LowMemory mode: %w", rkhs.ErrOption)
	}
	if err := choose.CheckMetric(pkg, s.Metric, k.x); err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	cols, choice, err := s.columns(k, r)
	if err != nil {
		return nil, err
	}
	cols.rows = nil // of the sample
	return &Learner{settings: s, columns: cols, choice: choice}, r.Err()
}
