package ridge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// solution is f on the points that it sits on.
type solution struct {
	points    compute.Points
	weights   compute.Matrix
	intercept []float64
}

// fewRows is the number of rows that a fit takes which is told to stop before it has any
// solution.
const fewRows = 500

// solve takes the way that the number of rows and the memory leave. Where it is stopped
// before there is any solution, a few rows have to do.
func (p *problem) solve() (*solution, error) {
	var s *solution
	var err error
	switch p.way {
	case factorising:
		var leaveOneOut func()
		if s, leaveOneOut = p.factorised(); s != nil {
			leaveOneOut()
		}
	case iterating:
		s, err = p.preconditioned()
	case onPoints:
		s, err = p.onPoints()
	}
	if s != nil || err != nil {
		return s, err
	}
	return p.onFew()
}

// onFew solves on a few of the rows, whatever the monitor says.
func (p *problem) onFew() (*solution, error) {
	rows := rng.New(p.options.Seed, "ridge rows of a stopped fit", 0).Sample(p.x.Rows, min(fewRows, p.x.Rows))
	quiet := monitor.New(context.Background(), nil, pkg)
	defer quiet.Close()
	few := *p
	few.x, few.y, few.weights, few.monitor, few.held = p.x.Pick(rows), compute.Pick(p.y, rows), pickWeights(p.weights, rows), quiet, nil
	few.means = slices.Clone(p.means)
	few.centre()
	s, _ := few.factorised()
	if s == nil {
		return nil, fmt.Errorf("ridge: the matrix of the rows is not positive definite for any ridge: %w", rkhs.ErrDiverged)
	}
	p.report = few.report
	p.report.Status, p.report.Rows = p.monitor.Status(), len(rows)
	return s, nil
}

// factorised solves by a Cholesky factor, or returns nil if it was stopped. Leaving rows
// out with that factor is left to be done.
func (p *problem) factorised() (*solution, func()) {
	n := p.x.Rows
	f := centres.NewFactor(p.of, p.x, p.noise, p.weights, func(done int) bool { return p.more("factor", done, n) })
	if f == nil {
		return nil, nil
	}
	p.noise = f.Noise
	s := p.regression()
	s.SetInverse(f)
	found := p.iterate(s)
	return found, func() { p.leaveOneOut(s, f, found.weights) }
}

// leaveOneOut predicts each row from all others: with P the inverse of the matrix, or where
// the constant is free that on vectors of sum zero, the residual of row i is then
// a_i/P_ii (Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// eq. (5.12)), and N_i·a_i that of the fit to all.
func (p *problem) leaveOneOut(s *centres.Regression, f *centres.Factor, weights compute.Matrix) {
	n := p.x.Rows
	diag := f.InverseDiagonal(func(done int) bool { return p.more("leave one out", done, n) })
	if diag == nil {
		p.report.Status = p.monitor.Status()
		return
	}
	s.LessConstant(diag)
	left := p.leftOut(diag, weights, p.weights.Multiplicity(p.x.FirstCopies(p.y, p.classes)))
	p.report.LeaveOneOut = p.weights.Dots(left, left)
	floats.Scale(1/float64(n), p.report.LeaveOneOut)
}

// leftOut takes the rows with what fits to all others leave of them, which it returns, for a diagonal of P, the weights a, and
// the multiplicity of the rows. It overwrites the diagonal.
func (p *problem) leftOut(diag []float64, weights compute.Matrix, times []float64) (left compute.Matrix) {
	rest := compute.Clone(weights)
	for i := range diag {
		noise := p.noise / p.weights.At(i)
		floats.Scale(noise, compute.Row(rest, i))
		diag[i] *= noise
	}
	left = compute.Clone(rest)
	calibrate.LeaveOut(left, diag, times)
	p.sample = calibrate.LeftOut(p.x, p.y, p.means, left, rest, p.classes, p.weights)
	return left
}

// regression returns the matrix of the rows.
func (p *problem) regression() *centres.Regression {
	return &centres.Regression{Of: p.of, X: p.x, Noise: p.noise, Weights: p.weights, Centred: !p.options.NoIntercept, Single: p.servesSingle(), Stopped: p.monitor.Stopped}
}

// servesSingle reports whether single precision serves: rows held out end the solution long
// before rounding would, of values of K, which moves their eigenvalues by about √n times as
// much, and is less than a hundredth of the ridge.
func (p *problem) servesSingle() bool {
	const rounding = 0x1p-23
	n := p.x.Rows
	diag := make([]float64, n)
	p.of.DiagOf(diag, p.x)
	return p.held != nil && 100*rounding*math.Sqrt(float64(n))*slices.Max(diag) <= p.noise/p.weights.Most()
}

// more reports progress, and tells whether to go on.
func (p *problem) more(phase string, done, total int) bool {
	p.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, ModelOrder: p.x.Rows, Objective: math.NaN(), Gap: math.NaN()})
	return !p.monitor.Stopped()
}

// iterate solves for the weights of all rows, and takes the constants and the certificate
// from a residual that is computed anew.
func (p *problem) iterate(s *centres.Regression) *solution {
	c := p.run(s, p.y, p.x, func(x compute.Matrix) compute.Matrix { return x })
	f := &solution{points: p.x, weights: c.X, intercept: slices.Clone(p.means)}
	r := compute.NewMatrix(p.y.Rows, p.y.Cols)
	if !s.Product(r, c.X) {
		p.report.Status = p.monitor.Status()
		if p.held != nil { // the residual is that of another solution
			p.report.Residual = nil
		}
		p.level(f)
		return f
	}
	for i, y := range p.y.Data {
		r.Data[i] = y - r.Data[i]
	}
	p.certify(f, r)
	return f
}

// certify takes the residual y − (K + N)a, N = n·lam·I or diag(n·lam/w), and leaves the
// constants of it. With r for what is left, ‖N^(−½)·r‖/2 bounds the error.
func (p *problem) certify(f *solution, r compute.Matrix) {
	if !p.options.NoIntercept {
		floats.Add(f.intercept, centre(r, p.weights))
	}
	p.report.Residual, p.report.Error = relative(norms(r), norms(p.y)), p.weights.Dots(r, r)
	for o, v := range p.report.Error {
		p.report.Error[o] = 1 / (2 * math.Sqrt(p.noise)) * math.Sqrt(v)
	}
	// With y − b − r − N·a for the values of f at the rows, and weights of sum zero.
	inverse := slices.Clone(p.weights)
	for i, w := range inverse {
		inverse[i] = 1 / w
	}
	square := inverse.Dots(f.weights, f.weights)
	p.report.Norm = compute.ColumnDots(f.weights, p.y)
	for o, v := range compute.ColumnDots(f.weights, r) {
		p.report.Norm[o] = math.Sqrt(max(0, p.report.Norm[o]-v-float64(p.noise*square[o])))
	}
}

// level sets the constants of a fit that was stopped by few of the rows.
func (p *problem) level(f *solution) {
	if p.options.NoIntercept {
		return
	}
	rows := rng.New(p.options.Seed, "ridge rows of a stopped fit", 0).Sample(p.x.Rows, min(fewRows, p.x.Rows))
	weights := pickWeights(p.weights, rows)
	values, left := compute.NewMatrix(len(rows), p.y.Cols), compute.Pick(p.y, rows)
	p.of.MulOf(values, p.x.Pick(rows), f.points, f.weights)
	floats.Sub(left.Data, values.Data)
	floats.Add(f.intercept, centre(left, weights))
}

// run solves by conjugate gradients until the norms of the residual, relative to those of
// the right side, are as small as the tolerance, or the error at rows held out is as low as
// it gets. With rows held out, a solution that did not converge is the best at these, and R
// may be that of another. A solution is the function with some weights on points.
func (p *problem) run(s centres.Operator, right compute.Matrix, points compute.Points, weights func(x compute.Matrix) compute.Matrix) *centres.Conjugate {
	c, size := centres.NewConjugate(s, right), norms(right)
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
		if p.slow.ends(p.report) {
			return false
		}
		if p.held != nil && p.enough(c.X, points, weights(c.X)) {
			early = true
			return false
		}
		p.report.Iterations++
		return true
	})
	switch {
	case p.monitor.Stopped():
		p.report.Status = p.monitor.Status()
	case early:
		p.report.Status = rkhs.EarlyStopped
	}
	if p.held != nil {
		p.enough(c.X, points, weights(c.X))
		p.report.HeldOut = p.held.latest
		if p.report.Status != rkhs.Converged {
			c.X, p.report.HeldOut = p.held.best, p.held.errors
		}
	}
	return c
}

// relative divides norms by those that are not zero.
func relative(norms, by []float64) []float64 {
	for o, v := range by {
		if v > 0 {
			norms[o] /= v
		}
	}
	return norms
}

func norms(m compute.Matrix) []float64 {
	v := compute.ColumnDots(m, m)
	for i, square := range v {
		v[i] = math.Sqrt(square)
	}
	return v
}

func largest(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, x)
	}
	return most
}
