package ridge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// solution is f on the points that support it.
type solution struct {
	points    compute.Points
	weights   compute.Matrix
	intercept []float64
}

// solve returns a solution. A fit that is stopped before it has any uses a few rows.
func (p *problem) solve() (s *solution, err error) {
	switch p.solver {
	case factorising:
		s = p.factorised(true)
	case iterating:
		s, err = p.preconditioned()
	case onPoints:
		s, err = p.onPoints()
	}
	if s == nil && err == nil {
		return p.onFew()
	}
	return s, err
}

// few returns the problem of a few rows, for a fit that is stopped early.
func (p *problem) few() problem {
	const rows = 500
	return p.pick(rng.New(p.options.Seed, "ridge rows of a stopped fit", 0).Sample(p.x.Rows, min(rows, p.x.Rows)))
}

// onFew solves on a few rows, also after the fit was stopped.
func (p *problem) onFew() (*solution, error) {
	quiet := progress.New(context.Background(), nil, pkg)
	defer quiet.Close()
	few := p.few()
	few.monitor, few.held, few.means = quiet, nil, slices.Clone(p.means)
	few.centre()
	s := few.factorised(false)
	if s == nil {
		return nil, fmt.Errorf("ridge: the matrix of the rows is not positive definite for any ridge: %w", rkhs.ErrDiverged)
	}
	p.report = few.report
	p.report.Status, p.report.Rows = p.monitor.Status(), few.x.Rows
	return s, nil
}

// factorised solves with a Cholesky factor, or returns nil if it was stopped.
func (p *problem) factorised(leaveOneOut bool) *solution {
	n := p.x.Rows
	f := nystrom.NewFactor(p.of, p.x, p.noise, p.weights, func(done int) bool { return p.progress("factor", done, n) })
	if f == nil {
		return nil
	}
	p.noise = f.Noise
	s := p.regression()
	s.SetInverse(f)
	found := p.iterate(s)
	if leaveOneOut {
		p.leaveOneOut(s, f, found.weights)
	}
	return found
}

// leaveOneOut predicts each row from all other rows. With the inverse P of the matrix, on vectors of
// sum zero if a constant is free, the residual of row i is a_i/P_ii (Rasmussen and Williams,
// "Gaussian processes for machine learning", 2006, eq. (5.12)), and in the fit to all rows N_i·a_i.
func (p *problem) leaveOneOut(s *nystrom.Regression, f *nystrom.Factor, weights compute.Matrix) {
	n := p.x.Rows
	diag := f.InverseDiagonal(func(done int) bool { return p.progress("leave one out", done, n) })
	if diag == nil {
		p.report.Status = p.monitor.Status()
		return
	}
	s.LessConstant(diag)
	left := p.leaveOut(diag, weights, p.weights.Multiplicity(p.x.FirstCopies(p.y, p.classes)))
	p.report.LeaveOneOut = p.weights.Dots(left, left)
	floats.Scale(1/float64(n), p.report.LeaveOneOut)
}

// leaveOut sets the leave-one-out predictions and returns their residuals, for the diagonal of P, which
// it overwrites, the weights a, and the multiplicity of the rows.
func (p *problem) leaveOut(diag []float64, weights compute.Matrix, times []float64) (left compute.Matrix) {
	residual := compute.Clone(weights)
	for i := range diag {
		noise := p.noise / p.weights.At(i)
		floats.Scale(noise, compute.Row(residual, i))
		diag[i] *= noise
	}
	left = compute.Clone(residual)
	calibrate.LeaveOut(left, diag, times)
	p.sample = calibrate.LeaveOneOut(p.x, p.y, p.means, left, residual, p.classes, p.weights)
	return left
}

// regression returns the matrix of the rows.
func (p *problem) regression() *nystrom.Regression {
	return &nystrom.Regression{Of: p.of, X: p.x, Noise: p.noise, Weights: p.weights, Centred: !p.options.NoIntercept,
		Single: p.allowsSingle(), Stopped: p.monitor.Stopped}
}

// allowsSingle reports whether K may have single precision: the solver stops early, and the rounding
// of eigenvalues, which grows with √n, is less than a hundredth of the ridge.
func (p *problem) allowsSingle() bool {
	const rounding = 0x1p-23
	most := slices.Max(p.diagonal())
	return p.held != nil && 100*rounding*math.Sqrt(float64(p.x.Rows))*most <= p.noise/p.weights.Most()
}

// diagonal returns k(x, x) of the rows.
func (p *problem) diagonal() []float64 {
	diag := make([]float64, p.x.Rows)
	p.of.DiagOf(diag, p.x)
	return diag
}

// iterate solves for the weights of all rows, and certifies them by the recomputed residual.
func (p *problem) iterate(s *nystrom.Regression) *solution {
	c := p.run(s, p.y, p.x, func(x compute.Matrix) compute.Matrix { return x })
	f := &solution{points: p.x, weights: c.X, intercept: slices.Clone(p.means)}
	r := compute.NewMatrix(p.y.Rows, p.y.Cols)
	if !s.Product(r, c.X) {
		p.report.Status = p.monitor.Status()
		if p.held != nil { // the residual belongs to another solution
			p.report.Residual = nil
		}
		p.level(f)
		return f
	}
	floats.SubTo(r.Data, p.y.Data, r.Data)
	p.certify(f, r)
	return f
}

// certify sets the certificate and the constants for the residual r = y − (K + N)a, with
// N = n·lam·diag(1/w). Without its constant, ‖N^(−½)·r‖/2 bounds the error.
func (p *problem) certify(f *solution, r compute.Matrix) {
	if !p.options.NoIntercept {
		floats.Add(f.intercept, centre(r, p.weights))
	}
	p.report.Residual, p.report.Error = relative(norms(r), norms(p.y)), p.weights.Dots(r, r)
	for o, v := range p.report.Error {
		p.report.Error[o] = 1 / (2 * math.Sqrt(p.noise)) * math.Sqrt(v)
	}
	// The values of f at the rows are y − b − r − N·a. The weights have sum zero.
	inverse := slices.Clone(p.weights)
	for i, w := range inverse {
		inverse[i] = 1 / w
	}
	square := inverse.Dots(f.weights, f.weights)
	p.report.Norm = compute.ColumnDots(f.weights, p.y)
	for o, v := range compute.ColumnDots(f.weights, r) {
		p.report.Norm[o] = p.report.Norm[o] - v - float64(p.noise*square[o])
	}
	roots(p.report.Norm)
}

// level sets the constants of a stopped fit from a few rows.
func (p *problem) level(f *solution) {
	if p.options.NoIntercept {
		return
	}
	few := p.few()
	values := compute.NewMatrix(few.x.Rows, p.y.Cols)
	p.of.MulOf(values, few.x, f.points, f.weights)
	floats.Sub(few.y.Data, values.Data)
	floats.Add(f.intercept, centre(few.y, few.weights))
}

// run solves by conjugate gradients until the tolerance is reached or the held-out error stops it. A
// solution X is a function with weights on points. An unconverged solution is the best on held-out
// rows, and the residual R may belong to another.
func (p *problem) run(s nystrom.Operator, right compute.Matrix, points compute.Points, weights func(x compute.Matrix) compute.Matrix) *nystrom.Conjugate {
	c, size := nystrom.NewConjugate(s, right), norms(right)
	measure := func() float64 {
		p.report.Residual = relative(norms(c.R), size)
		return largest(p.report.Residual)
	}
	early := false
	_, p.report.Status = c.Run(p.options.tolerance(), measure, func(gap float64) bool {
		p.monitor.Report(rkhs.Progress{Phase: "solve", Iteration: p.report.Iterations, ModelOrder: p.x.Rows, Objective: math.NaN(), Gap: gap})
		if p.monitor.Stopped() || p.report.Iterations >= p.options.Iterations {
			return false
		}
		if p.slow = p.replace && p.report.Iterations == slowSteps && gap > slowResidual; p.slow {
			return false
		}
		early = p.held != nil && p.held.stops(p, c.X, points, weights(c.X))
		if !early {
			p.report.Iterations++
		}
		return !early
	})
	switch {
	case p.monitor.Stopped():
		p.report.Status = p.monitor.Status()
	case early:
		p.report.Status = rkhs.EarlyStopped
	}
	if p.held != nil {
		p.held.stops(p, c.X, points, weights(c.X))
		p.report.HeldOut = p.held.latest
		if p.report.Status != rkhs.Converged {
			c.X, p.report.HeldOut = p.held.best, p.held.errors
		}
	}
	return c
}

// relative divides norms by the positive elements of by.
func relative(norms, by []float64) []float64 {
	for o, v := range by {
		if v > 0 {
			norms[o] /= v
		}
	}
	return norms
}

// norms returns the norms of the columns.
func norms(m compute.Matrix) []float64 { return roots(compute.ColumnDots(m, m)) }

// roots replaces squares by their roots. Rounding may have made a square negative.
func roots(squares []float64) []float64 {
	for o, v := range squares {
		squares[o] = math.Sqrt(max(0, v))
	}
	return squares
}

func largest(v []float64) float64 { return slices.Max(append([]float64{0}, v...)) }
