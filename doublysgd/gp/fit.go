package gp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
)

// Fit computes the posterior of a Gaussian process from targets y (n×q) with independent
// noise at rows x (n×d). If the rows are rkhs.Weighted, the weights are inverse noise
// variances up to a factor: row i has noise variance Noise/w_i, for weights scaled to mean
// one. A fit that is cancelled, stopped or not converged returns its best model with the
// error.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return nil, err
	}
	if err := o.checkNoise(w.Y.Cols); err != nil {
		return nil, err
	}
	if err := search.CheckMetric(pkg, o.Metric, w.X); err != nil {
		return nil, err
	}
	if err := search.CheckRange(pkg, o.Kernel, w.X, w.Y); err != nil {
		return nil, err
	}
	m := progress.New(ctx, o.Recorder, pkg)
	defer m.Close()
	p, err := newPrior(&o, w.X, w.Y, input.MeanOne(w.Weights), m)
	if err != nil {
		return nil, err
	}
	s := &solver{options: &o, prior: p, rows: w.X, monitor: m}
	return s.fit(w.Y)
}

// solver solves systems with A = K + N, N = s²I or diag(s²/w), in units of the amplitude.
type solver struct {
	options  *Options
	prior    prior
	constant constant
	rows     compute.Points
	monitor  *progress.Monitor
	space    *space
	report   Report
}

// space is the matrix A with its preconditioner.
type space struct {
	system   *nystrom.System
	centres  *nystrom.Centres
	at       []int   // row indices of the landmarks
	mean     float64 // mean of k(x, x)
	residual float64 // mean residual of k(x, x)
}

// landmarkTolerance is the trace of the residual of K, as a fraction of s², below which
// further landmarks do not help: A ≼ (1 + landmarkTolerance)·P.
const landmarkTolerance = 0.1

// newSpace draws the landmarks and builds the preconditioner.
func newSpace(o *Options, p prior, x compute.Points, m *progress.Monitor) (*space, error) {
	of := gram.Evaluator{Kernel: p.kernel, Workers: o.Workers}
	mean, err := search.MeanDiagonal(pkg, of, x)
	if err != nil {
		return nil, err
	}
	nu := p.ratio / float64(x.Rows)
	c, at, err := nystrom.New(of, x, o.Centres, landmarkTolerance*nu/max(mean, math.SmallestNonzeroFloat64), o.Seed, nystrom.Progress(m))
	if err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	system, err := nystrom.NewSystem(c, x, p.ratio, p.weights, o.gramBytes(x.Rows) > 0 && !m.Stopped())
	if err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	return &space{system: system, centres: c, at: at, mean: mean, residual: c.Residual(x, system.E)}, nil
}

// checkMemory returns rkhs.ErrMemory if the rows, the landmarks and the given number of
// extra columns exceed the limit.
func (o *Options) checkMemory(rows, columns int) error {
	n := min(o.Centres, rows, nystrom.CandidateRows)
	need := 8*float64(rows)*float64(n+columns) + float64(o.gramBytes(rows))
	return input.Memory(pkg, fmt.Sprintf("%d rows and %d centres", rows, n), need, o.MemoryLimit)
}

// gramBytes returns the size of the Gram matrix, or 0 if it is not cached.
func (o *Options) gramBytes(rows int) int64 {
	if n := int64(rows); 8*n*n <= o.CacheSize {
		return 8 * n * n
	}
	return 0
}

func (s *solver) fit(y compute.Matrix) (*Model, error) {
	if err := s.options.checkMemory(s.rows.Rows, s.rows.PerRow()+5*(y.Cols+1)); err != nil {
		return nil, err
	}
	s.rows = s.rows.Clone()
	var err error
	if s.space, err = newSpace(s.options, s.prior, s.rows, s.monitor); err != nil {
		return nil, err
	}
	s.report = Report{Status: rkhs.Converged, Rows: s.rows.Rows, Centres: s.space.centres.Count(),
		Ridge: s.prior.ratio / float64(s.rows.Rows), Residual: s.space.residual, Search: s.prior.found}
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

// mean returns α = A⁻¹(y − b). It stores the constants b and the amplitudes in the prior.
func (s *solver) mean(y compute.Matrix) (compute.Matrix, error) {
	for o, square := range compute.ColumnDots(y, y) {
		if !compute.Finite(square) {
			return y, fmt.Errorf("gp: the square of targets of column %d is %v: %w", o, square, rkhs.ErrDiverged)
		}
	}
	right := y
	if !s.options.NoConstant {
		right = withOnes(y)
	}
	c := nystrom.NewConjugate(s.space.system, right)
	at := &mean{y: y, c: c, ratio: s.prior.ratio, weights: s.prior.weights, noConstant: s.options.NoConstant, strict: s.options.strict}
	s.solve(c, func() float64 { return at.wrong(s.options.Tolerance) })
	early := s.report.Iterations == 0 && s.monitor.Stopped()
	if early { // use the Nyström approximation of K
		s.space.system.Precondition(c.X, c.B)
		compute.Zero(c.R)
	}
	at.evaluate()
	s.constant = at.constant
	s.prior.scale(s.options, y.Rows, at.products())
	for o, b := range at.average() {
		s.prior.units.Offset[o] += s.prior.units.Unit[o] * b
	}
	if early {
		return s.space.spanned(at.alpha), nil
	}
	return at.alpha, nil
}

// spanned returns weights that give the function e·eᵀα. Only landmarks have a nonzero
// weight.
func (s *space) spanned(alpha compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(s.system.E.Cols, alpha.Cols)
	compute.MulTN(a, s.system.E, alpha, s.system.Of.Workers)
	w := compute.NewMatrix(alpha.Rows, alpha.Cols)
	a = s.centres.Weights(a)
	for i, row := range s.at {
		copy(compute.Row(w, row), compute.Row(a, i))
	}
	return w
}

// relativeBound bounds |a − b|/max(b, least) for an unknown b with |a − b| ≤ lack.
func relativeBound(lack, a, least float64) float64 {
	if lack == 0 {
		return 0
	}
	return lack / max(a-lack, least)
}

// solve runs c and records its status and error bound.
func (s *solver) solve(c *nystrom.Conjugate, wrong func() float64) {
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

// why returns an error if a solution did not reach a given tolerance.
func (s *solver) why(name string) error {
	if err := s.monitor.Err(); err != nil || !s.options.strict || s.report.Status == rkhs.Converged {
		return err
	}
	return fmt.Errorf("gp: the error of the %s is bounded by %.3g after %d iterations, Tolerance is %v: %w",
		name, s.report.Error, s.report.Iterations, s.options.Tolerance, rkhs.ErrNotConverged)
}
