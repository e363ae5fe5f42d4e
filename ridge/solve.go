package ridge

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/linalg"
)

// solution is f on the points that it sits on.
type solution struct {
	points    compute.Matrix
	weights   compute.Matrix
	intercept []float64
}

// factorRows is the number of rows up to which the matrix is factorised.
const factorRows = 8000

// fewRows is the number of rows that a fit takes which is told to stop before it has any
// solution.
const fewRows = 1000

// checkMemory returns rkhs.ErrMemory if what a fit cannot do without is too large.
func (o *Options) checkMemory(n, d, q int) error {
	need := 8 * float64(n) * (float64(n) + float64(d) + 5*float64(q+1))
	return door.Memory(pkg, "the matrix of the rows", need, o.MemoryLimit)
}

// solve goes by the number of rows.
func (p *problem) solve() (*solution, error) {
	if s := p.factorised(); s != nil {
		return s, nil
	}
	return p.onFew()
}

// onFew solves on a few of the rows, whatever the monitor says.
func (p *problem) onFew() (*solution, error) {
	rows := rng.New(p.options.Seed, "ridge rows of a stopped fit", 0).Sample(p.x.Rows, min(fewRows, p.x.Rows))
	quiet := monitor.New(context.Background(), nil, pkg)
	defer quiet.Close()
	few := *p
	few.x, few.y, few.monitor = compute.Pick(p.x, rows), compute.Pick(p.y, rows), quiet
	s := few.factorised()
	if s == nil {
		return nil, fmt.Errorf("ridge: the matrix of the rows is not positive definite for any ridge: %w", rkhs.ErrDiverged)
	}
	p.report = few.report
	p.report.Status = p.monitor.Status()
	return s, nil
}

// factorised solves by a Cholesky factor, or returns nil if it was stopped.
func (p *problem) factorised() *solution {
	n := p.x.Rows
	f := centres.NewFactor(p.of, p.x, p.noise, func(done int) bool { return p.more("factor", done, n) })
	if f == nil {
		return nil
	}
	p.noise = f.Noise
	s := p.regression()
	s.SetInverse(f)
	found := p.iterate(s)
	p.leaveOneOut(s, f, found.weights)
	return found
}

// leaveOneOut predicts each row from all others: with P the inverse of the matrix, or where
// the constant is free that on vectors of sum zero, the residual of row i is then
// a_i/P_ii (Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// eq. (5.12)).
func (p *problem) leaveOneOut(s *centres.Regression, f *centres.Factor, weights compute.Matrix) {
	n := p.x.Rows
	diag := f.InverseDiagonal(func(done int) bool { return p.more("leave one out", done, n) })
	if diag == nil {
		p.report.Status = p.monitor.Status()
		return
	}
	s.LessConstant(diag)
	left := compute.Clone(weights)
	for i, v := range diag {
		floats.Scale(1/v, compute.Row(left, i))
	}
	p.report.LeaveOneOut = compute.ColumnDots(left, left)
	floats.Scale(1/float64(n), p.report.LeaveOneOut)
}

// regression returns the matrix of the rows.
func (p *problem) regression() *centres.Regression {
	return &centres.Regression{Of: p.of, X: p.x, Noise: p.noise, Centred: !p.options.NoIntercept, More: func() bool { return !p.monitor.Stopped() }}
}

// more reports progress, and tells whether to go on.
func (p *problem) more(phase string, done, total int) bool {
	p.monitor.Report(rkhs.Progress{Phase: phase, Done: done, Total: total, ModelOrder: p.x.Rows, Objective: math.NaN(), Gap: math.NaN()})
	return !p.monitor.Stopped()
}

// iterate runs conjugate gradients.
func (p *problem) iterate(s *centres.Regression) *solution {
	c := centres.NewConjugate(s, p.y)
	_, p.report.Status = c.Run(p.options.Tolerance, func() float64 { return p.measure(c) }, func(gap float64) bool {
		p.monitor.Report(rkhs.Progress{Phase: "solve", Iteration: p.report.Iterations, ModelOrder: p.x.Rows, Objective: math.NaN(), Gap: gap})
		if p.monitor.Stopped() || p.report.Iterations >= p.options.Iterations {
			return false
		}
		p.report.Iterations++
		return true
	})
	if p.monitor.Stopped() {
		p.report.Status = p.monitor.Status()
	}
	return p.certified(c)
}

// measure sets the relative residuals and returns the largest.
func (p *problem) measure(c *centres.Conjugate) float64 {
	r, _ := p.residual(c)
	p.report.Residual = norms(r)
	for o, size := range norms(p.y) {
		if size > 0 {
			p.report.Residual[o] /= size
		}
	}
	return largest(p.report.Residual)
}

// residual returns y − b − (K + n·lam·I)a for the constants b at which it has mean zero,
// less those that the targets have lost already.
func (p *problem) residual(c *centres.Conjugate) (r compute.Matrix, b []float64) {
	r = compute.Clone(c.R)
	if p.options.NoIntercept {
		return r, make([]float64, r.Cols)
	}
	return r, linalg.CentreColumns(r)
}

// certified takes the constants and what is known of f from a solution, as the values of f
// at the rows are y − b − n·lam·a − r.
func (p *problem) certified(c *centres.Conjugate) *solution {
	r, b := p.residual(c)
	values := compute.NewMatrix(r.Rows, r.Cols)
	for i := range r.Rows {
		row, y, a, left := compute.Row(values, i), compute.Row(p.y, i), compute.Row(c.X, i), compute.Row(r, i)
		for o := range row {
			row[o] = y[o] - b[o] - float64(p.noise*a[o]) - left[o]
		}
	}
	p.report.Norm, p.report.Error = compute.ColumnDots(c.X, values), norms(r)
	for o, square := range p.report.Norm {
		p.report.Norm[o] = math.Sqrt(max(0, square))
		p.report.Error[o] /= 2 * math.Sqrt(p.noise)
	}
	floats.Add(b, p.means)
	return &solution{points: p.x, weights: c.X, intercept: b}
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
