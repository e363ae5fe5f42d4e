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

// group is the number of points whose variances are found together.
const group = 128

// Variance returns the posterior variance of the function at the rows of x (t×d), t×q,
// its constant included: of u = A⁻¹1 with A = K + s²I, in units of the amplitude,
//
//	k(x*, x*) − k(x*, X)·A⁻¹·k(X, x*) + (1 − k(x*, X)·u)²/(1ᵀu).
//
// That of a noisy value there is larger by Noise. Not included is that the kernel and the
// noise are themselves found from the data. Each is relatively wrong by
// Options.Tolerance at most: the reduction of the variance at x* is the value there of
// the solution for targets k(x_i, x*).
//
// O(n²·(d + 128)) an iteration for every 128 points, for the n rows that were trained
// on, and O(n·128) memory beside the model's. A model from a file first makes its
// preconditioner anew. Beyond the errors of Predict, one that is cancelled, or does not
// reach the tolerance, returns what it has together with the error: points that were not
// reached have the prior variance.
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

// variances returns those of the correlation.
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

// Covariance returns the posterior covariance of the function of one output between the
// rows of x (t×d) and those of z (u×d), t×u; nil z stands for x. Its diagonal is, but
// for rounding, Variance. An element is wrong by Options.Tolerance times the root of the
// product of the variances at most.
//
// Cost and errors are those of Variance at the rows of x and z together, but the memory
// is O(n·(t + u)), and what is cancelled or not reached returns nothing.
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

// solver returns the rows of x and what solves for them.
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

// solverOn returns what solves for the model.
func (m *Model) solverOn(ctx context.Context, space *space) *solver {
	return &solver{
		options: &m.options, prior: m.prior, constant: m.constant, rows: expansion.Points(m.f.sum), space: space,
		monitor: progress.New(ctx, nil, pkg), report: Report{Status: rkhs.Converged},
	}
}

// reduce solves for k = k(X, x*) at points whose prior variances are v, and returns the
// solution x with a function of the posterior variances: for any x with residual r,
//
//	kᵀA⁻¹k = kᵀx + xᵀr + rᵀA⁻¹r,
//
// of which the last part is left out and bounds the error. The data leave at least a
// share of the prior variance, for A ≼ (tr K + s²)·I.
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

// covariance returns k(x, z) − k(x, X)·A⁻¹·k(X, z), of which the second part is, for
// solutions S with residuals R at both,
//
//	K_xᵀS_z + S_xᵀR_z + R_xᵀA⁻¹R_z,
//
// and what the constant adds to it.
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

// solutions returns right sides, solutions and residuals at all points.
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

// space returns what solutions go by, made anew after loading.
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
