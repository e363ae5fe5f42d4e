package slkl

import (
	"cmp"
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit fits a regression of each of the q targets y (n×q) on the rows x (n×d). Nil options select the
// defaults. x may be rkhs.Weighted, which multiplies the loss of each row by its weight; a fit scales
// the weights to mean one.
//
// It needs one pass over the rows, O(n·M·(d + M)) time and O(M²) memory for M columns. If the context
// or the Recorder stops the fit, or it does not converge (see OutputReport.Status), Fit returns the
// best model so far and the error. Invalid data or options return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	k, _, err := readTask(nil, x, y)
	if err != nil {
		return nil, err
	}
	k.weights = input.MeanOne(k.weights)
	m, sample, err := fitRows(ctx, s, k)
	return m.with(sample), err
}

// task is the validated data of a fit.
type task struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights // or nil
	classes []int           // indices of the labels, if y encodes labels
	numbers []uint64        // hashed for the folds and the calibration, or nil for the order of the rows
}

// readTask validates rows and their targets or, if labels is not nil, their labels. If it drops rows
// of weight zero, kept lists the remaining rows.
func readTask(labels []int, x, y mat.Matrix) (k task, kept []int, err error) {
	if labels == nil {
		w, err := input.WeighedPair(pkg, input.Points, x, y)
		return task{x: w.X, y: w.Y, weights: w.Weights}, w.Kept, err
	}
	w, err := input.WeighedLabels(pkg, input.Points, x, y)
	if err != nil {
		return k, nil, err
	}
	index, err := input.Known(pkg, w.Y, labels)
	if err != nil {
		return k, nil, err
	}
	return task{x: w.X, y: targets(index, len(labels)), weights: w.Weights, classes: index}, w.Kept, nil
}

// pick returns a copy of the listed rows, with x in the memory of buffer.
func (k task) pick(buffer *compute.Points, rows []int) task {
	k.x.PickTo(buffer, rows)
	return task{x: *buffer, y: compute.Pick(k.y, rows), weights: k.weights.Pick(rows),
		classes: compute.PickOf(k.classes, rows)}
}

// between returns rows [from, to).
func (k task) between(from, to int) task {
	b := task{x: k.x.Between(from, to), y: compute.Rows(k.y, from, to), weights: k.weights.Between(from, to)}
	if k.numbers != nil {
		b.numbers = k.numbers[from:to]
	}
	return b
}

// checkRows returns an error for a context, a metric or numbers that a fit does not accept.
func (s *settings) checkRows(ctx context.Context, k task) error {
	var given kernel.Kernel
	if len(s.Kernels) > 0 {
		given = s.Kernels[0]
	}
	return cmp.Or(input.Context(pkg, ctx), search.CheckMetric(pkg, s.Metric, k.x), search.CheckRange(pkg, given, k.x, k.y))
}

// fitRows also returns the sample that calibrates the model.
func fitRows(ctx context.Context, s *settings, k task) (m *Model, sample calibrate.Sample, err error) {
	if err := s.checkRows(ctx, k); err != nil {
		return nil, sample, err
	}
	for _, i := range k.x.FirstCopies(k.y, k.classes) { // copies of a row share a fold
		k.numbers = append(k.numbers, uint64(i))
	}
	r := progress.New(ctx, s.Recorder, pkg)
	defer r.Close()
	cols, found, err := s.columns(k, r)
	if err != nil {
		return nil, sample, err
	}
	if s.LowMemory {
		if m, err = newWorkingSet(s, cols, k, r).fit(); err == nil && !s.NoCalibration {
			sample, err = refitSample(s, cols, k, r), r.Err()
		}
		return m, sample, err
	}
	l := &Learner{settings: s, columns: cols, found: found}
	l.allocate(k.y.Cols, s.parts(k.x.Rows))
	l.addRows(k, r)
	f, err := newFit(l, true, r)
	if err != nil {
		return nil, sample, err
	}
	return f.calibrated(k)
}

// LearnerFrom returns a learner without rows. Unless opts has them, it selects landmarks and kernels
// like Fit, on a sample x (n×d) and y (n×q) of the later rows. It returns the errors of Fit and
// NewLearner. A cancelled search returns the learner with the best kernel so far and the error.
func LearnerFrom(ctx context.Context, x, y mat.Matrix, opts *Options) (*Learner, error) {
	return learnerFrom(ctx, nil, x, y, opts)
}

// ClassLearnerFrom is LearnerFrom for classes. labels lists all labels of the later rows. y, n×1, has the
// labels of the sample, which need not contain all labels.
func ClassLearnerFrom(ctx context.Context, labels []int, x, y mat.Matrix, opts *Options) (*ClassLearner, error) {
	sorted, err := input.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	l, err := learnerFrom(ctx, sorted, x, y, opts)
	if l == nil {
		return nil, err
	}
	return &ClassLearner{l}, err
}

func learnerFrom(ctx context.Context, labels []int, x, y mat.Matrix, opts *Options) (*Learner, error) {
	k, _, err := readTask(labels, x, y)
	if err != nil {
		return nil, err
	}
	k.weights = input.MeanOne(k.weights)
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(s.checkRows(ctx, k), s.forLearner()); err != nil {
		return nil, err
	}
	r := progress.New(ctx, s.Recorder, pkg)
	defer r.Close()
	cols, found, err := s.columns(k, r)
	if err != nil {
		return nil, err
	}
	cols.rows = nil // they are rows of the sample
	return &Learner{settings: s, columns: cols, labels: labels, found: found}, r.Err()
}

// columns selects the landmarks and kernels that are not given.
func (s *settings) columns(k task, r *progress.Monitor) (cols *columns, found kernel.SearchResult, err error) {
	s.limitPoints(k.x)
	drawn, err := drawnPoints(s, k.x)
	if err != nil {
		return nil, found, err
	}
	count := drawn.points.Rows
	if !s.LowMemory {
		if err := s.memory(k.x).check(count*max(1, len(s.Kernels)), s.MemoryLimit); err != nil {
			return nil, found, err
		}
	}
	if found, err = s.search(k, drawn.points, r); err != nil {
		return nil, found, err
	}
	if more := s.morePoints(found, count, k.x); more > count {
		s.MaxPoints = more
		if drawn, err = drawnPoints(s, k.x); err != nil {
			return nil, found, err
		}
	}
	drawn = s.redrawn(k, drawn, found, r)
	if err := checkKernels(s.Kernels, k.x); err != nil {
		return nil, found, err
	}
	if cols, err = newColumns(s, s.Kernels, drawn.points); err != nil {
		return nil, found, err
	}
	cols.rows = drawn.rows
	return cols, found, nil
}
