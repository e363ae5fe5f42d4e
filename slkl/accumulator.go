package slkl

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
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
	points, err := input.Rows("slkl", "Points", s.Points)
	if err != nil {
		return nil, err
	}
	kernels, err := s.baseKernels(s.Points)
	if err != nil {
		return nil, err
	}
	if err := checkKernels(kernels, points); err != nil {
		return nil, err
	}
	return newAccumulator(s, newColumns(kernels, points, s.Workers), outputs)
}

func newAccumulator(s *settings, cols *columns, outputs int) (*Accumulator, error) {
	m := int64(cols.count())
	parts := s.parts()
	// The folds, the problem of each, their sum, its problem and its factors,
	// and the block of columns.
	need := 8 * (m*m*int64(2*parts+4) + m*int64(blockRows(cols.count())))
	if need > s.MemoryLimit {
		return nil, fmt.Errorf("slkl: %d columns need %d MiB, MemoryLimit is %d MiB: %w", m, need>>20, s.MemoryLimit>>20, rkhs.ErrMemory)
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
	xs, err := input.RowsOf("slkl", "x", x, a.cols.points.Cols)
	if err != nil {
		return err
	}
	ys, err := input.RowsOf("slkl", "y", y, len(a.parts[0].meanY))
	if err != nil {
		return err
	}
	if xs.Rows != ys.Rows {
		return fmt.Errorf("slkl: x has %d rows, y has %d: %w", xs.Rows, ys.Rows, rkhs.ErrShape)
	}
	if err := checkKernels(a.cols.kernels, xs); err != nil {
		return err
	}
	size := blockRows(a.cols.count())
	for from := 0; from < xs.Rows; from += size {
		to := min(from+size, xs.Rows)
		a.add(compute.Rows(xs, from, to), compute.Rows(ys, from, to))
	}
	return nil
}

// add takes in rows that have passed the door. It reorders y.
func (a *Accumulator) add(x, y compute.Matrix) {
	k := len(a.parts)
	order, ends := a.folds(x.Rows)
	if k > 1 {
		x, y = pick(x, order), pick(y, order)
	}
	c := compute.NewMatrix(x.Rows, a.cols.count())
	a.cols.fill(c, x)
	from := 0
	for i, to := range ends {
		a.parts[i].add(compute.Rows(c, from, to), compute.Rows(y, from, to), a.s.Workers)
		from = to
	}
	a.rows += x.Rows
}

// folds groups the next n rows by fold: their order and where each fold ends.
// Each run of K rows visits all K folds in an order drawn for that run, so that
// a row's fold depends on its number alone and the folds are even.
func (a *Accumulator) folds(n int) (order, ends []int) {
	k := len(a.parts)
	if k == 1 {
		return nil, []int{n}
	}
	fold := make([]int, n)
	for i := range fold {
		r := a.rows + i
		if i == 0 || r%k == 0 {
			perm := rng.New(a.s.Seed, "slkl folds", uint64(r/k)).Perm(k)
			for j := i; j < min(n, i+k-r%k); j++ {
				fold[j] = perm[(a.rows+j)%k]
			}
		}
	}
	ends = make([]int, k)
	for f := range ends {
		for i, v := range fold {
			if v == f {
				order = append(order, i)
			}
		}
		ends[f] = len(order)
	}
	return order, ends
}

// Merge takes in all rows of b, which must have the same landmarks, kernels,
// outputs, folds and seed, else the error wraps rkhs.ErrShape or
// rkhs.ErrOption. b is left as it is.
func (a *Accumulator) Merge(b *Accumulator) error {
	if len(a.parts) != len(b.parts) || a.s.Seed != b.s.Seed || !sameKernels(a.cols.kernels, b.cols.kernels) {
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
	r := newReporter(ctx, a.s.Recorder)
	defer r.cancel(nil)
	return newFit(a, r).solve()
}

// Path fits a model for each nu, which must be positive and falling, each fit
// starting from the one before: cheaper than as many calls of Solve.
func (a *Accumulator) Path(ctx context.Context, nu []float64) ([]*Model, error) {
	if a.rows == 0 {
		return nil, fmt.Errorf("slkl: the accumulator is empty: %w", rkhs.ErrEmpty)
	}
	for i, v := range nu {
		if !(v > 0 && finite(v)) || i > 0 && v >= nu[i-1] {
			return nil, fmt.Errorf("slkl: nu[%d] = %v; want a falling sequence of positive numbers: %w", i, v, rkhs.ErrOption)
		}
	}
	r := newReporter(ctx, a.s.Recorder)
	defer r.cancel(nil)
	return newFit(a, r).path(nu)
}

// blockRows is the number of rows whose columns are held at once.
func blockRows(columns int) int { return min(max(1<<22/max(columns, 1), 256), 8192) }

// pick returns the listed rows of m.
func pick(m compute.Matrix, rows []int) compute.Matrix {
	out := compute.NewMatrix(len(rows), m.Cols)
	for i, r := range rows {
		copy(row(out, i), row(m, r))
	}
	return out
}

func checkPair(x, y mat.Matrix) error {
	if err := input.Check("slkl", "x", x); err != nil {
		return err
	}
	if err := input.Check("slkl", "y", y); err != nil {
		return err
	}
	n, _ := x.Dims()
	if r, _ := y.Dims(); r != n {
		return fmt.Errorf("slkl: x has %d rows, y has %d: %w", n, r, rkhs.ErrShape)
	}
	return nil
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
