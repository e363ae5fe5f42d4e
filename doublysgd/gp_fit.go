package doublysgd

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// gpFit is one fit to data that has passed the door.
type gpFit struct {
	o         preconditionOptions
	prior     prior
	tolerance float64
	strict    bool // whether the tolerance is asked for
	r         *monitor.Monitor
	steps     int
	report    PreconditionReport
}

// testGroup is the number of rows of xTest whose variances are found together.
const testGroup = 256

// restNegligible is the fraction of nu below which what the centres leave of k(x, x)
// changes no digit that matters.
const restNegligible = 1e-5

func (g *gpFit) run(x, y, test compute.Matrix) (*GP, error) {
	nu := g.prior.ratio / float64(x.Rows)
	mean := g.prior.kernelMean(x, g.o.workers)
	if !finite(mean) {
		return nil, fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", mean, rkhs.ErrDiverged)
	}
	p, err := g.o.newPreconditioned(g.prior.kernel, x, y.Cols+min(test.Rows, testGroup), restNegligible*nu/max(mean, math.SmallestNonzeroFloat64))
	if err != nil {
		return nil, err
	}
	g.report = PreconditionReport{Rows: x.Rows, Centres: p.c.count(), Ridge: nu, Rest: p.rest}
	m, err := g.mean(p, y, nu)
	if err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	variance, err := g.variances(p, test, nu)
	if err != nil {
		return nil, err
	}
	gp := &GP{f: m, prior: g.prior, variance: variance, report: g.report}
	gp.report.Steps, gp.report.Status = g.steps, g.status()
	return gp, g.why()
}

// mean solves for the targets.
func (g *gpFit) mean(p *preconditioned, y compute.Matrix, nu float64) (*composite, error) {
	r, err := p.newRidge(g.prior.units.standardise(y), nu, true)
	if err != nil {
		return nil, err
	}
	g.solve(r, func(f compute.Matrix) []float64 { return rootMeanSquares(compute.Rows(f, 0, p.n), g.tolerance) })
	phi, _ := r.solve(r.rest.mean)
	return r.rest.composite(phi), nil
}

// solve takes the steps of one solution.
func (g *gpFit) solve(r *ridge, tolerated func(f compute.Matrix) []float64) {
	report := func(bound float64) {
		g.r.Report(rkhs.Progress{Iteration: g.steps, Objective: math.NaN(), ModelOrder: r.p.c.count(), Gap: bound * g.tolerance})
	}
	bound := r.run(r.p.blocks, tolerated, func(bound float64) bool {
		report(bound)
		if g.r.Stopped() {
			return false
		}
		g.steps++
		return true
	})
	report(bound)
	g.report.Error = max(g.report.Error, bound*g.tolerance)
}

// rootMeanSquares returns those of the columns of f, times a factor; of a column of
// zeros, the factor.
func rootMeanSquares(f compute.Matrix, factor float64) []float64 {
	s := make([]float64, f.Cols)
	for i := range f.Rows {
		for o, v := range row(f, i) {
			s[o] += v * v / float64(f.Rows)
		}
	}
	for o := range s {
		if s[o] = factor * math.Sqrt(s[o]); s[o] == 0 {
			s[o] = factor
		}
	}
	return s
}

// variances returns 1×t variances under the prior covariance k.
func (g *gpFit) variances(p *preconditioned, test compute.Matrix, nu float64) (compute.Matrix, error) {
	v := compute.NewMatrix(test.Rows, min(test.Rows, 1))
	if test.Rows == 0 {
		return v, nil
	}
	p.c.of.Diag(v.Data, test)
	least := g.leastShare(p, nu)
	var err error
	eachChunk(test.Rows, testGroup, func(from, to int) {
		if err == nil && !g.r.Stopped() {
			err = g.group(p, compute.Rows(test, from, to), v.Data[from:to], nu, least)
		}
	})
	return v, err
}

// leastShare is the share of k(x*, x*) that no data can take away: what is left if
// all rows were observations at x* itself, of their own prior variance.
func (g *gpFit) leastShare(p *preconditioned, nu float64) float64 {
	return 1 / (1 + g.prior.kernelMean(p.x, p.workers)/nu)
}

// group subtracts from v what the rows trained on explain.
func (g *gpFit) group(p *preconditioned, test compute.Matrix, v []float64, nu, least float64) error {
	targets := compute.NewMatrix(p.n, test.Rows)
	p.c.of.Cross(targets, p.x, test)
	at := p.evaluatedAt(test)
	r, err := at.newRidge(targets, nu, false)
	if err != nil {
		return err
	}
	left := func(f compute.Matrix, factor float64) []float64 {
		w := make([]float64, len(v))
		for j, k := range v {
			w[j] = factor * max(least*k, k-f.Data[(p.n+j)*f.Stride+j])
			if !(w[j] > 0) {
				w[j] = factor
			}
		}
		return w
	}
	g.solve(r, func(f compute.Matrix) []float64 { return left(f, g.tolerance) })
	_, f := r.solve(r.rest.mean)
	for j, k := range v {
		v[j] = max(least*k, k-f.Data[(p.n+j)*f.Stride+j])
		if !finite(v[j]) {
			return fmt.Errorf("doublysgd: the variance at row %d of xTest is %v: %w", j, v[j], rkhs.ErrDiverged)
		}
	}
	return nil
}

func (g *gpFit) status() rkhs.Status {
	switch {
	case g.r.Stopped():
		return g.r.Status()
	case g.report.Error > g.tolerance:
		return rkhs.IterationLimit
	}
	return rkhs.Converged
}

func (g *gpFit) why() error {
	if err := g.r.Err(); err != nil || !g.strict || g.report.Error <= g.tolerance {
		return err
	}
	return fmt.Errorf("doublysgd: the error is bounded by %.3g, Tolerance is %v: %w", g.report.Error, g.tolerance, rkhs.ErrNotConverged)
}
