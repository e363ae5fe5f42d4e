package slkl

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Accumulator takes in rows batch by batch and keeps only what the problem
// needs: CᵀC, CᵀY and ‖Y‖² about their means, in O(M²) memory for any number of
// rows. Batches of any size in any order, and parts merged from accumulators of
// their own, give the same solution up to rounding. It is not safe for
// concurrent use.
type Accumulator struct {
	s     *settings
	cols  *columns
	parts []*moments // one a fold; a single one when Nu is given
	rows  int
}

// NewAccumulator returns an empty Accumulator for the given number of outputs.
// The landmarks are opts.Points, which must be given; the default kernel takes
// its bandwidth from them. Errors wrap rkhs.ErrOption, rkhs.ErrMemory, and what
// is wrong with the points.
func NewAccumulator(outputs int, opts *Options) (*Accumulator, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	if outputs < 1 {
		return nil, optionError("outputs", float64(outputs))
	}
	if s.Points == nil {
		return nil, fmt.Errorf("slkl: an accumulator needs Points: %w", rkhs.ErrOption)
	}
	if s.LowMemory {
		return nil, fmt.Errorf("slkl: an accumulator has no LowMemory mode: %w", rkhs.ErrOption)
	}
	points, err := door.Rows("slkl", "Points", s.Points)
	if err != nil {
		return nil, err
	}
	points = distinct(points)
	kernels, err := s.baseKernels(s.Points)
	if err != nil {
		return nil, err
	}
	if err := checkKernels(kernels, points); err != nil {
		return nil, err
	}
	return newAccumulator(s, newColumns(s, kernels, points), outputs)
}

func newAccumulator(s *settings, cols *columns, outputs int) (*Accumulator, error) {
	m := int64(cols.count())
	parts := s.parts()
	// The folds, the problem of each, its inverse and what makes it, the same for
	// their sum, factors, and the block of columns.
	need := 8 * (m*m*int64(5*parts+7) + m*int64(blockRows(cols.count())))
	if need > s.MemoryLimit {
		return nil, fmt.Errorf("slkl: %d columns need %s, MemoryLimit is %s: %w", m, mebibytes(need), mebibytes(s.MemoryLimit), rkhs.ErrMemory)
	}
	a := &Accumulator{s: s, cols: cols}
	for range parts {
		a.parts = append(a.parts, newMoments(cols.count(), outputs))
	}
	return a, nil
}

// Rows returns the number of rows taken in.
func (a *Accumulator) Rows() int { return a.rows }

// Add takes in a batch: x is n×d and y n×q. On an error nothing is taken in.
// O(n·M·(d + M)).
func (a *Accumulator) Add(x, y mat.Matrix) error {
	xs, ys, err := door.Pair("slkl", x, y)
	if err != nil {
		return err
	}
	if d := a.cols.points.Cols; xs.Cols != d {
		return fmt.Errorf("slkl: x has %d columns, want %d: %w", xs.Cols, d, rkhs.ErrShape)
	}
	if q := len(a.parts[0].meanY); ys.Cols != q {
		return fmt.Errorf("slkl: y has %d columns, want %d: %w", ys.Cols, q, rkhs.ErrShape)
	}
	if err := checkKernels(a.cols.kernels, xs); err != nil {
		return err
	}
	r := monitor.New(context.Background(), nil, "slkl")
	defer r.Close()
	a.take(xs, ys, r)
	return nil
}

// Merge takes in all rows of b, which must have the same landmarks, kernels,
// outputs, folds, seed and precision, else the error wraps rkhs.ErrShape or
// rkhs.ErrOption. b is left as it is.
func (a *Accumulator) Merge(b *Accumulator) error {
	if len(a.parts) != len(b.parts) || a.s.Seed != b.s.Seed || a.s.Single != b.s.Single || !sameKernels(a.cols.kernels, b.cols.kernels) {
		return fmt.Errorf("slkl: accumulators of different options cannot merge: %w", rkhs.ErrOption)
	}
	if len(a.parts[0].meanY) != len(b.parts[0].meanY) || !samePoints(a.cols.points, b.cols.points) {
		return fmt.Errorf("slkl: accumulators of different landmarks or outputs cannot merge: %w", rkhs.ErrShape)
	}
	for i, p := range a.parts {
		p.merge(b.parts[i])
	}
	a.rows += b.rows
	return nil
}

// Solve fits a model to the rows taken in so far, which stay. Without rows the
// error wraps rkhs.ErrEmpty. A cancelled or unconverged fit returns its best
// model together with the error.
func (a *Accumulator) Solve(ctx context.Context) (*Model, error) {
	if a.rows == 0 {
		return nil, fmt.Errorf("slkl: the accumulator is empty: %w", rkhs.ErrEmpty)
	}
	r := monitor.New(ctx, a.s.Recorder, "slkl")
	defer r.Close()
	f, err := newFit(a, r)
	if err != nil {
		return nil, err
	}
	return f.solve()
}

// Path fits a model for each nu, which must be positive and falling, each fit
// starting from the one before: cheaper than as many calls of Solve.
func (a *Accumulator) Path(ctx context.Context, nu []float64) ([]*Model, error) {
	if a.rows == 0 {
		return nil, fmt.Errorf("slkl: the accumulator is empty: %w", rkhs.ErrEmpty)
	}
	for i, v := range nu {
		if !withinRange(v) || i > 0 && v >= nu[i-1] {
			return nil, fmt.Errorf("slkl: nu[%d] = %v; want a falling sequence from 1e-100 to 1e100: %w", i, v, rkhs.ErrOption)
		}
	}
	r := monitor.New(ctx, a.s.Recorder, "slkl")
	defer r.Close()
	f, err := newFit(a, r)
	if err != nil {
		return nil, err
	}
	return f.path(nu)
}

func sameKernels(a, b []kernel.Kernel) bool {
	return slices.EqualFunc(a, b, func(k, l kernel.Kernel) bool {
		x, errX := kernel.Marshal(k)
		y, errY := kernel.Marshal(l)
		if errX != nil || errY != nil {
			return fmt.Sprintf("%#v", k) == fmt.Sprintf("%#v", l)
		}
		return bytes.Equal(x, y)
	})
}

func samePoints(a, b compute.Matrix) bool {
	return a.Rows == b.Rows && a.Cols == b.Cols && slices.Equal(a.Data, b.Data)
}
