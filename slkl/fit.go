package slkl

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit learns from rows x (n×d) and targets y (n×q), one regression for each
// column of y. Nil options mean the defaults. Rows may be rkhs.Weighted: the loss of each is
// multiplied by its weight. Weights are taken as of mean one; Penalty and Noise stand beside
// the sum of n such losses.
//
// It takes one pass over the rows, O(n·M·(d + M)) time and O(M²) memory for M
// columns, and then solves the problem, whose size does not depend on n. A fit
// that is cancelled, stopped by the Recorder or not converged (OutputReport.Status
// tells what that is) returns its best model together with the error; data and
// options at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return nil, err
	}
	m, sample, err := fitRows(ctx, s, task{x: w.X, y: w.Y, weights: door.MeanOne(w.Weights)})
	return m.with(sample), err
}

// task is what a fit learns from: rows that have passed the door, targets, weights of mean
// one or nil, and, if targets stand for labels, the number of the class of each row.
type task struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights
	classes []int
	numbers []uint64 // by which rows are dealt out, or nil: their place among all
}

// numbersBetween returns those of rows [from, to).
func (k task) numbersBetween(from, to int) []uint64 {
	if k.numbers == nil {
		return nil
	}
	return k.numbers[from:to]
}

// numbersOfCopies deals copies out to one fold, by the number of the first; it returns nil for nil.
func numbersOfCopies(first []int) []uint64 {
	var numbers []uint64
	for _, i := range first {
		numbers = append(numbers, uint64(i))
	}
	return numbers
}

// fitRows also returns what the model is calibrated by.
func fitRows(ctx context.Context, s *settings, k task) (m *Model, sample calibrate.Sample, err error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, sample, err
	}
	if err := choose.CheckMetric(pkg, s.Metric, k.x); err != nil {
		return nil, sample, err
	}
	var given kernel.Kernel
	if len(s.Kernels) > 0 {
		given = s.Kernels[0]
	}
	if err := choose.CheckRange(pkg, given, k.x, k.y); err != nil {
		return nil, sample, err
	}
	k.numbers = numbersOfCopies(k.x.FirstCopies(k.y, k.classes))
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	cols, choice, err := s.columns(k, r)
	if err != nil {
		return nil, sample, err
	}
	if s.LowMemory {
		if m, err = newWorkingSet(s, cols, k, r).fit(); err == nil && !s.Uncalibrated {
			sample, err = outOfSampleInLittle(s, cols, k, r), r.Err()
		}
		return m, sample, err
	}
	l := &Learner{settings: s, columns: cols, choice: choice, count: s.parts(k.x.Rows), once: true}
	if err := l.begin(k.y.Cols); err != nil {
		return nil, sample, err
	}
	l.take(k, r)
	f, err := newFit(l, r)
	if err != nil {
		return nil, sample, err
	}
	return f.calibrated(k)
}

// columns chooses landmarks and kernels where they are not given.
func (s *settings) columns(k task, r *monitor.Monitor) (cols *columns, choice kernel.Choice, err error) {
	s.leaveRoom(k.x)
	drawn, err := drawnPoints(s, k.x)
	if err != nil {
		return nil, choice, err
	}
	count, need := drawn.points.Rows*max(1, len(s.Kernels)), s.need(k.x)
	if !s.LowMemory {
		if err := s.room(count, need); err != nil {
			return nil, choice, err
		}
	}
	if choice, err = s.choose(k, drawn.points, r); err != nil {
		return nil, choice, err
	}
	if drawn, err = s.drawnFor(choice, drawn, k); err != nil {
		return nil, choice, err
	}
	drawn = s.drawnAnew(k, drawn, choice, r)
	kernels := ownKernels(s.Kernels)
	if err := checkKernels(kernels, k.x); err != nil {
		return nil, choice, err
	}
	if cols, err = newColumns(s, kernels, drawn.points); err != nil {
		return nil, choice, err
	}
	cols.rows = drawn.rows
	return cols, choice, nil
}

// drawnFor returns landmarks for the kernel that was chosen: the drawn ones, or more.
func (s *settings) drawnFor(c kernel.Choice, drawn landmarks, k task) (landmarks, error) {
	more := s.morePoints(c, drawn.points.Rows, k.x)
	if more == drawn.points.Rows {
		return drawn, nil
	}
	s.MaxPoints = more
	return drawnPoints(s, k.x)
}
