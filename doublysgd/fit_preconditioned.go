package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// preconditionedFit minimises the objective over the space of the kernel. A loss of
// curvature at most c is bounded by
//
//	l(f) ≤ l(f') + l'(f')·(f − f') + c/2·(f − f')² = c/2·(f − y)² + constant,
//	y = f' − l'(f')/c,
//
// which makes a ridge regression with nu/c of every step, and of the squared loss the
// ridge regression that it is.
type preconditionedFit struct {
	*job
	p *preconditioned
	r *ridge
	f compute.Matrix // the latest values, about which the loss is bounded
}

const (
	// centreSteps bounds the steps in the part on the centres between two in the rest,
	// finalCentreSteps those before the error is measured.
	centreSteps      = 20
	finalCentreSteps = 400
	// centresAtRest is how little they move f, as a fraction of it, where they end.
	centresAtRest = 1e-4
	// preconditionedTolerance is the default of Options.Tolerance.
	preconditionedTolerance = 0.01
)

func (j *job) fitPreconditioned() (*Model, error) {
	w, err := j.newPreconditionedFit()
	if err != nil {
		return nil, err
	}
	tolerance := cmp.Or(j.Tolerance, preconditionedTolerance)
	bound := w.run(tolerance, max(j.Passes, 1)*w.p.blocks)
	m, err := w.model(bound)
	if err != nil || bound <= tolerance {
		return m, err
	}
	m.report.Status = rkhs.IterationLimit
	if j.Tolerance == 0 {
		return m, nil
	}
	return m, fmt.Errorf("doublysgd: the error is bounded by %.3g after %d steps, Tolerance is %v: %w", bound, w.r.rest.steps, tolerance, rkhs.ErrNotConverged)
}

// run takes steps until the bound of the error is at most the tolerance, or up to a
// limit, and returns it. It is looked at when the number of steps has doubled.
func (w *preconditionedFit) run(tolerance float64, limit int) (bound float64) {
	for next := 0; ; {
		steps := w.r.rest.steps
		if steps == next || steps >= limit {
			bound = w.bound(tolerance)
			next = max(4, 2*steps)
		}
		w.progress()
		if bound <= tolerance || steps >= limit || w.job.r.Stopped() {
			return bound
		}
		w.solve(w.r.rest.now, centreSteps, centresAtRest)
		w.r.step()
	}
}

func (j *job) newPreconditionedFit() (*preconditionedFit, error) {
	o := preconditionOptions{sampler: j.Sampler, centres: j.Centres, features: j.Features, columns: j.columns,
		cache: j.CacheSize, memory: j.MemoryLimit, seed: j.Seed, workers: j.Workers}
	if err := o.check(); err != nil {
		return nil, err
	}
	size, err := kernelMean(kernel.Evaluator{Kernel: j.kernel, Workers: j.Workers}, j.x)
	if err != nil {
		return nil, err
	}
	nu := cmp.Or(j.Ridge, 1/float64(j.x.Rows)) / j.Loss.Curvature()
	p, err := o.newPreconditioned(j.kernel, j.x, j.outputs(), restNegligible*nu/max(size, math.SmallestNonzeroFloat64))
	if err != nil {
		return nil, err
	}
	w := &preconditionedFit{job: j, p: p, f: compute.NewMatrix(p.n, j.outputs())}
	w.r, err = p.newRidge(compute.NewMatrix(p.n, j.outputs()), nu, true)
	return w, err
}

// bound returns the bound of the relative error of the averaged rest, with the best
// part on the centres, from the derivatives of the loss there.
func (w *preconditionedFit) bound(tolerance float64) float64 {
	_, f := w.solve(w.r.rest.mean, finalCentreSteps, min(centresAtRest, tolerance/10))
	w.bend()
	return w.r.bound(f)
}

// solve finds the best part on the centres beside a rest, in steps up to a limit, until
// one moves the values by a fraction that is below atRest.
func (w *preconditionedFit) solve(rest iterate, steps int, atRest float64) (phi, f compute.Matrix) {
	for range steps {
		w.bend()
		phi, f = w.r.solve(rest)
		moved := floats.Distance(f.Data, w.f.Data, 2)
		copy(w.f.Data, f.Data)
		if loss.Quadratic(w.Loss) || moved <= atRest*blas64.Nrm2(vector(f.Data)) || w.job.r.Stopped() {
			break
		}
	}
	return phi, f
}

// bend sets y to f − l'(f)/c.
func (w *preconditionedFit) bend() {
	w.risk.descent(w.r.y, w.f, 1/w.Loss.Curvature())
	blas64.Axpy(1, vector(w.f.Data), vector(w.r.y.Data))
}

func (w *preconditionedFit) progress() {
	if !w.job.r.Silent() {
		w.job.r.Report(rkhs.Progress{Iteration: w.r.rest.steps, ModelOrder: w.p.c.count(), Objective: w.risk.value(w.f) / float64(w.p.n), Gap: math.NaN()})
	}
}

// model returns that of the averaged rest.
func (w *preconditionedFit) model(bound float64) (*Model, error) {
	phi, f := w.solve(w.r.rest.mean, 1, 0)
	n, steps, columns := float64(w.p.n), w.r.rest.steps, w.p.m.Columns()
	report := unknown()
	report.Mode, report.Status, report.Rows = w.Mode, w.job.r.Status(), w.p.n
	report.Blocks = min(steps, w.p.blocks)
	report.Features, report.Passes = report.Blocks*columns, (steps+w.p.blocks-1)/w.p.blocks
	report.Ridge, report.Gradient = w.r.nu*w.Loss.Curvature(), bound
	// Where the gradient vanishes nu·‖f‖² = −Σ_i l'(f(x_i))·f(x_i)/n.
	down := compute.NewMatrix(w.p.n, w.outputs())
	w.risk.descent(down, f, 1)
	report.Objective = (w.risk.value(f) + blas64.Dot(vector(down.Data), vector(f.Data))/2) / n
	m := &Model{composite: w.r.rest.composite(phi), u: w.u, report: report}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, w.job.r.Err()
}
