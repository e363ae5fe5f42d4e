package gp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit finds the posterior of a function with a Gaussian process prior, from its values y
// (n×q) with independent noise at rows x (n×d). A fit that is cancelled, stopped or not
// converged returns its best model together with the error.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	rows, targets, err := door.Pair(pkg, x, y)
	if err != nil {
		return nil, err
	}
	if err := o.checkNoise(targets.Cols); err != nil {
		return nil, err
	}
	p, err := newPrior(&o, rows, targets)
	if err != nil {
		return nil, err
	}
	s := &solver{options: &o, prior: p, rows: rows, monitor: monitor.New(ctx, o.Recorder, pkg)}
	defer s.monitor.Close()
	return s.fit(targets)
}

// solver solves with A = K + s²I, in units of the amplitude.
type solver struct {
	options *Options
	prior   prior
	rows    compute.Matrix
	monitor *monitor.Monitor
	space   *space
	report  Report
}

// space is what solutions go by: the matrix A with its preconditioner.
type space struct {
	system  *centres.System
	centres int
	mean    float64 // of k(x, x)
	rest    float64 // mean of what the centres leave of k(x, x)
}

// centresEnough is the trace of what the centres leave of K, as a fraction of s², at
// which more of them gain nothing: A ≼ (1 + centresEnough)·P.
const centresEnough = 0.1

// newSpace draws the centres.
func newSpace(o *Options, p prior, x compute.Matrix) (*space, error) {
	of := kernel.Evaluator{Kernel: p.kernel, Workers: o.Workers}
	mean, err := choose.MeanDiagonal(pkg, of, x)
	if err != nil {
		return nil, err
	}
	nu := p.ratio / float64(x.Rows)
	c, _, err := centres.New(of, x, o.Centres, centresEnough*nu/max(mean, math.SmallestNonzeroFloat64), o.Seed)
	if err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	system, err := centres.NewSystem(c, x, p.ratio, o.gramBytes(x.Rows) > 0)
	if err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	return &space{system: system, centres: c.Count(), mean: mean, rest: c.Rest(x, system.E)}, nil
}

// checkMemory returns rkhs.ErrMemory if the rows, the centres and so many other columns
// of all rows are too large.
func (o *Options) checkMemory(rows, columns int) error {
	n := min(o.Centres, rows, centres.CandidateRows)
	need := 8*float64(rows)*float64(n+columns) + float64(o.gramBytes(rows))
	return door.Memory(pkg, fmt.Sprintf("%d rows and %d centres", rows, n), need, o.MemoryLimit)
}

// gramBytes returns the size of K, or 0 if it is not kept.
func (o *Options) gramBytes(rows int) int64 {
	if n := int64(rows); 8*n*n <= o.CacheSize {
		return 8 * n * n
	}
	return 0
}

func (s *solver) fit(y compute.Matrix) (*Model, error) {
	if err := s.options.checkMemory(s.rows.Rows, s.rows.Cols+5*y.Cols); err != nil {
		return nil, err
	}
	s.rows = compute.Clone(s.rows)
	var err error
	if s.space, err = newSpace(s.options, s.prior, s.rows); err != nil {
		return nil, err
	}
	s.report = Report{Status: rkhs.Converged, Rows: s.rows.Rows, Centres: s.space.centres,
		Ridge: s.prior.ratio / float64(s.rows.Rows), Rest: s.space.rest}
	weights, err := s.mean(s.prior.units.Standardise(y))
	if err != nil {
		return nil, err
	}
	m, err := newModel(s, weights)
	if err != nil {
		return nil, err
	}
	return m, s.why("mean")
}

// mean returns α = A⁻¹y. The values f = K·α = y − s²α − r of the mean are off by no more
// than the residual r, because K·A⁻¹ ≼ I, and for the same reason they are no larger
// than y. A mean of nothing counts as the fraction Tolerance of the targets.
func (s *solver) mean(y compute.Matrix) (compute.Matrix, error) {
	c := centres.NewConjugate(s.space.system, y)
	targets := compute.ColumnDots(y, y)
	for o, square := range targets {
		if !compute.Finite(square) {
			return y, fmt.Errorf("gp: the square of targets of column %d is %v: %w", o, square, rkhs.ErrDiverged)
		}
	}
	s.solve(c, func() float64 {
		f := compute.Clone(y)
		blas64.Axpy(-s.prior.ratio, compute.Vector(c.X.Data), compute.Vector(f.Data))
		blas64.Axpy(-1, compute.Vector(c.R.Data), compute.Vector(f.Data))
		residual, size := compute.ColumnDots(c.R, c.R), compute.ColumnDots(f, f)
		bound := 0.0
		for o, square := range targets {
			all, lack := math.Sqrt(square), math.Sqrt(residual[o])
			bound = max(bound, relativeBound(lack, min(math.Sqrt(size[o]), all), s.options.Tolerance*all))
		}
		return bound
	})
	return c.X, nil
}

// relativeBound bounds |a − b| as a fraction of b, or of least if that is larger, for
// an unknown b with |a − b| ≤ lack.
func relativeBound(lack, a, least float64) float64 {
	if lack == 0 {
		return 0
	}
	return lack / max(a-lack, least)
}

// solve runs c and takes note of how it ended.
func (s *solver) solve(c *centres.Conjugate, wrong func() float64) {
	limit := s.report.Iterations + s.options.Iterations
	report := func(bound float64) {
		s.monitor.Report(rkhs.Progress{Phase: "solve", Iteration: s.report.Iterations, Objective: math.NaN(), ModelOrder: s.report.Rows, Gap: bound})
	}
	bound, status := c.Run(s.options.Tolerance, wrong, func(bound float64) bool {
		report(bound)
		if s.monitor.Stopped() || s.report.Iterations >= limit {
			return false
		}
		s.report.Iterations++
		return true
	})
	report(bound)
	s.report.Error = max(s.report.Error, bound)
	if s.monitor.Stopped() {
		status = s.monitor.Status()
	}
	if status != rkhs.Converged {
		s.report.Status = status
	}
}

// why returns why a solution ended short of the tolerance, if it did.
func (s *solver) why(what string) error {
	if err := s.monitor.Err(); err != nil || s.report.Status == rkhs.Converged {
		return err
	}
	return fmt.Errorf("gp: the error of the %s is bounded by %.3g after %d iterations, Tolerance is %v: %w",
		what, s.report.Error, s.report.Iterations, s.options.Tolerance, rkhs.ErrNotConverged)
}
