package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// group is the number of points solved for at once.
const group = 128

// Variance returns the posterior variance of the function, including its constant, at the
// rows of x (t×d), as t×q. With A = K + s²I and u = A⁻¹1, in units of the amplitude, it is
//
//	k(x*, x*) − k(x*, X)·A⁻¹·k(X, x*) + (1 − k(x*, X)·u)²/(1ᵀu).
//
// A noisy value has the additional variance Noise. The variance does not account for the
// selection of the kernel and the noise. Its relative error is at most Options.Tolerance.
//
// For n training rows, the cost is O(n²·(d + 128)) per iteration and 128 points, and
// O(n·128) additional memory. The first call on a loaded model rebuilds the
// preconditioner. Errors are the errors of Predict, rkhs.ErrNotConverged, and the error of
// ctx. If the call is cancelled or does not converge, it returns its partial result with
// the error; points not reached have the prior variance.
func (m *Model) Variance(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	rows, s, err := m.solver(ctx, x)
	if err != nil {
		return nil, err
	}
	defer s.monitor.Close()
	if err := s.options.checkMemory(s.rows.Rows, 5*min(rows.Rows, group)); err != nil {
		return nil, err
	}
	variance, err := s.variances(rows)
	if err != nil {
		return nil, err
	}
	v := mat.NewDense(rows.Rows, len(s.prior.amplitude), nil)
	v.Apply(func(i, o int, _ float64) float64 { return s.prior.amplitude[o] * variance[i] }, v)
	return v, s.why("variance")
}

// variances returns posterior variances for amplitude 1.
func (s *solver) variances(points compute.Points) ([]float64, error) {
	v := make([]float64, points.Rows)
	s.space.system.Of.DiagOf(v, points)
	for from, to := range compute.Chunks(points.Rows, group) {
		if s.monitor.Stopped() {
			break
		}
		_, left := s.reduce(points.Between(from, to), v[from:to])
		copy(v[from:to], left())
	}
	for j, v := range v {
		if !compute.Finite(v) {
			return nil, fmt.Errorf("gp: the variance at row %d of x is %v: %w", j, v, rkhs.ErrDiverged)
		}
	}
	return v, nil
}

// Covariance returns the posterior covariance of one output between the rows of x (t×d) and
// the rows of z (u×d), as t×u. A nil z means x. The diagonal equals Variance up to
// rounding. The error of an element is at most Options.Tolerance times the root of the
// product of the two variances.
//
// Cost and errors are as for Variance at all rows of x and z, but memory is O(n·(t + u)), and
// there is no partial result.
func (m *Model) Covariance(ctx context.Context, x, z mat.Matrix, output int) (*mat.Dense, error) {
	rows, s, err := m.solver(ctx, x)
	if err != nil {
		return nil, err
	}
	defer s.monitor.Close()
	if output < 0 || output >= len(s.prior.amplitude) {
		return nil, fmt.Errorf("gp: output = %d of %d: %w", output, len(s.prior.amplitude), rkhs.ErrOption)
	}
	others := rows
	if z != nil {
		if others, err = model.Rows(pkg, "z", m.function(), z); err != nil {
			return nil, err
		}
	}
	if err := s.options.checkMemory(s.rows.Rows, 3*(rows.Rows+others.Rows)+5*group); err != nil {
		return nil, err
	}
	c, err := s.covariance(rows, others, z == nil)
	if err != nil {
		return nil, err
	}
	v := mat.NewDense(c.Rows, c.Cols, c.Data)
	v.Scale(s.prior.amplitude[output], v)
	return v, nil
}

// solver returns the validated rows of x and a solver for the model.
func (m *Model) solver(ctx context.Context, x mat.Matrix) (compute.Points, *solver, error) {
	if err := input.Context(pkg, ctx); err != nil {
		return compute.Points{}, nil, err
	}
	rows, err := model.Rows(pkg, "x", m.function(), x)
	if err != nil {
		return rows, nil, err
	}
	space, err := m.space()
	if err != nil {
		return rows, nil, err
	}
	return rows, m.solverOn(ctx, space), nil
}

// solverOn returns a solver for the model on the given space.
func (m *Model) solverOn(ctx context.Context, space *space) *solver {
	return &solver{
		options: &m.options, prior: m.prior, constant: m.constant, rows: expansion.Points(m.f.sum), space: space,
		monitor: progress.New(ctx, nil, pkg), report: Report{Status: rkhs.Converged},
	}
}

// reduce solves for k = k(X, x*) at points with prior variances v. It returns the solution
// and a function that computes the posterior variances. For any x with residual r,
//
//	kᵀA⁻¹k = kᵀx + xᵀr + rᵀA⁻¹r.
//
// The last term is dropped; it bounds the error. Because A ≼ (tr K + s²)·I, the posterior
// variance is at least a fixed fraction of the prior variance.
func (s *solver) reduce(points compute.Points, v []float64) (c *nystrom.Conjugate, left func() []float64) {
	nu := s.prior.ratio / float64(s.rows.Rows)
	least := 1 / (1 + s.space.mean/nu)
	cross := compute.NewMatrix(s.rows.Rows, points.Rows)
	s.space.system.Of.CrossOf(cross, s.rows, points)
	c = nystrom.NewConjugate(s.space.system, cross)
	bounds := make([]float64, points.Rows)
	left = func() []float64 {
		w, more := compute.ColumnDots(c.B, c.X), compute.ColumnDots(c.X, c.R)
		for j, k := range v {
			w[j] = max(least*k, k-w[j]-more[j])
			bounds[j] = c.Rho[j]
		}
		s.constant.add(w, bounds, c)
		return w
	}
	s.solve(c, func() float64 {
		bound := 0.0
		for j, v := range left() {
			bound = max(bound, relativeBound(bounds[j], v, 0))
		}
		return bound
	})
	return c, left
}

// covariance returns k(x, z) − k(x, X)·A⁻¹·k(X, z) plus the contribution of the constant.
// For solutions S with residuals R, it computes the second term as
//
//	K_xᵀS_z + S_xᵀR_z + R_xᵀA⁻¹R_z,
//
// without the last part.
func (s *solver) covariance(x, z compute.Points, same bool) (compute.Matrix, error) {
	at := s.solutions(x)
	other := at
	if !same {
		other = s.solutions(z)
	}
	if err := s.why("covariance"); err != nil {
		return compute.Matrix{}, err
	}
	of := s.space.system.Of
	explained := compute.NewMatrix(x.Rows, z.Rows)
	compute.MulTN(explained, at.B, other.X, of.Workers)
	compute.MulTN(explained, at.X, other.R, of.Workers)
	c := compute.NewMatrix(x.Rows, z.Rows)
	of.CrossOf(c, x, z)
	for i, v := range explained.Data {
		c.Data[i] -= v
	}
	s.constant.addProducts(c, &at, &other)
	if same {
		compute.Mirror(c)
	}
	if !compute.AllFinite(c) {
		return c, fmt.Errorf("gp: a covariance is not finite: %w", rkhs.ErrDiverged)
	}
	return c, nil
}

// solutions returns right-hand sides, solutions and residuals for all points.
func (s *solver) solutions(points compute.Points) (all nystrom.Conjugate) {
	for _, m := range []*compute.Matrix{&all.B, &all.X, &all.R} {
		*m = compute.NewMatrix(s.rows.Rows, points.Rows)
	}
	prior := make([]float64, points.Rows)
	s.space.system.Of.DiagOf(prior, points)
	for from, to := range compute.Chunks(points.Rows, group) {
		if s.monitor.Stopped() {
			break
		}
		c, _ := s.reduce(points.Between(from, to), prior[from:to])
		compute.CopyTo(compute.Columns(all.B, from, to), c.B)
		compute.CopyTo(compute.Columns(all.X, from, to), c.X)
		compute.CopyTo(compute.Columns(all.R, from, to), c.R)
	}
	return all
}

// space returns the matrix with its preconditioner, which it rebuilds after loading.
func (m *Model) space() (*space, error) {
	m.solving.Lock()
	defer m.solving.Unlock()
	if m.solving.space != nil {
		return m.solving.space, nil
	}
	x := expansion.Points(m.f.sum)
	if err := m.options.checkMemory(x.Rows, x.PerRow()); err != nil {
		return nil, err
	}
	s, err := newSpace(&m.options, m.prior, x, progress.New(context.Background(), nil, pkg))
	m.solving.space = s
	return s, err
}
