package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// gpFit is one fit to data that has passed the door. It solves with A = K + s²I, in
// units of the amplitude.
type gpFit struct {
	o          preconditionOptions
	prior      prior
	tolerance  float64
	iterations int
	r          *monitor.Monitor
	s          *system
	report     PreconditionReport
}

// centresEnough is the trace of what the centres leave of K, as a fraction of s², at
// which more of them gain nothing: A ≼ (1 + centresEnough)·P.
const centresEnough = 0.1

func (g *gpFit) run(x, y, test compute.Matrix) (*GP, error) {
	nu := g.prior.ratio / float64(x.Rows)
	of := kernel.Evaluator{Kernel: g.prior.kernel, Workers: g.o.workers}
	mean, err := kernelMean(of, x)
	if err != nil {
		return nil, err
	}
	if err := g.o.checkMemory(x.Rows, x.Cols+5*max(y.Cols, min(test.Rows, testGroup)), g.gramBytes(x.Rows)); err != nil {
		return nil, err
	}
	c, _, err := newCentres(of, x, g.o.centres, centresEnough*nu/max(mean, math.SmallestNonzeroFloat64), g.o.seed)
	if err != nil {
		return nil, err
	}
	if g.s, err = newSystem(c, x, g.prior.ratio, g.gramBytes(x.Rows) > 0); err != nil {
		return nil, err
	}
	g.report = PreconditionReport{Status: rkhs.Converged, Rows: x.Rows, Centres: c.count(), Ridge: nu, Rest: c.rest(x, g.s.e)}
	weights, err := g.mean(g.prior.units.standardise(y))
	if err != nil {
		return nil, err
	}
	m := &GP{f: kernelSum{of, cloneRows(x), weights}, seed: g.o.seed, prior: g.prior}
	if err := m.f.check(); err != nil {
		return nil, err
	}
	if m.variance, err = g.variances(test, 1/(1+mean/nu)); err != nil {
		return nil, err
	}
	m.report = g.report
	return m, g.why()
}

// gramBytes returns the size of K, or 0 if it is not kept.
func (g *gpFit) gramBytes(rows int) int64 {
	if n := int64(rows); 8*n*n <= g.o.cache {
		return 8 * n * n
	}
	return 0
}

// mean returns α = A⁻¹y. The values f = K·α = y − s²α − r of the mean are off by no more
// than the residual r, because K·A⁻¹ ≼ I, and for the same reason they are no larger
// than y. A mean of nothing counts as the fraction Tolerance of the targets.
func (g *gpFit) mean(y compute.Matrix) (compute.Matrix, error) {
	c := newConjugate(g.s, y)
	targets := columnDots(y, y)
	for o, square := range targets {
		if !finite(square) {
			return y, fmt.Errorf("doublysgd: the square of targets of column %d is %v: %w", o, square, rkhs.ErrDiverged)
		}
	}
	g.solve(c, func() float64 {
		f := cloneMatrix(y)
		blas64.Axpy(-g.prior.ratio, vector(c.x.Data), vector(f.Data))
		blas64.Axpy(-1, vector(c.r.Data), vector(f.Data))
		residual, size := columnDots(c.r, c.r), columnDots(f, f)
		bound := 0.0
		for o, square := range targets {
			all, lack := math.Sqrt(square), math.Sqrt(residual[o])
			bound = max(bound, relativeBound(lack, min(math.Sqrt(size[o]), all), g.tolerance*all))
		}
		return bound
	})
	return c.x, nil
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
func (g *gpFit) solve(c *conjugate, wrong func() float64) {
	limit := g.report.Steps + g.iterations
	bound, status := c.run(g.tolerance, wrong, func(bound float64) bool {
		g.r.Report(rkhs.Progress{Iteration: g.report.Steps, Objective: math.NaN(), ModelOrder: g.report.Centres, Gap: bound})
		if g.r.Stopped() || g.report.Steps >= limit {
			return false
		}
		g.report.Steps++
		return true
	})
	g.r.Report(rkhs.Progress{Iteration: g.report.Steps, Objective: math.NaN(), ModelOrder: g.report.Centres, Gap: bound})
	g.report.Error = max(g.report.Error, bound)
	if g.r.Stopped() {
		status = g.r.Status()
	}
	if status != rkhs.Converged {
		g.report.Status = status
	}
}

func (g *gpFit) why() error {
	if err := g.r.Err(); err != nil || g.report.Status == rkhs.Converged {
		return err
	}
	return fmt.Errorf("doublysgd: the error is bounded by %.3g after %d iterations, Tolerance is %v: %w", g.report.Error, g.report.Steps, g.tolerance, rkhs.ErrNotConverged)
}
