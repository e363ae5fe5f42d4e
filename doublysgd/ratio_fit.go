package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// ratioFit is one fit to rows that are finite.
type ratioFit struct {
	o         preconditionOptions
	form      RatioForm
	nu        float64
	tolerance float64
	strict    bool
	r         *monitor.Monitor

	p       *preconditioned
	problem *ratioProblem
}

func (f *ratioFit) run(x, y compute.Matrix) (*Ratio, error) {
	rows := stack(x, y)
	if err := f.choose(x, y, rows); err != nil {
		return nil, err
	}
	var err error
	if f.p, err = f.o.newPreconditioned(f.o.kernel, rows, 1, restNegligible*f.nu); err != nil {
		return nil, err
	}
	f.problem = f.newProblem(f.p, x.Rows, f.nu)
	rest, phi := f.p.newRest(1, true), compute.NewMatrix(f.p.c.count(), 1)
	for next := 4; ; {
		copy(f.problem.rest, rest.mean.at(f.p).Data)
		best := cloneMatrix(phi)
		values := f.problem.solve(best)
		bound := math.Inf(1)
		if rest.steps == 0 || rest.steps == next || rest.steps >= f.p.blocks {
			bound = f.error(values)
			next = 2 * max(rest.steps, 2)
		}
		f.r.Report(rkhs.Progress{Iteration: rest.steps, Objective: f.problem.objective(best, values), ModelOrder: f.p.c.count(), Gap: bound})
		if bound <= f.tolerance || rest.steps >= f.p.blocks || f.r.Stopped() {
			return f.model(rest, best, values)
		}
		copy(f.problem.rest, rest.now.at(f.p).Data)
		first, curvature := f.problem.derivatives(f.problem.solve(phi))
		rate := f.p.rate(curvature*float64(rows.Rows), f.nu)
		rest.step(first, f.p.coordinates(first), rate/(1+rate*f.nu*float64(rest.steps)/1.5), f.nu)
	}
}

func (f *ratioFit) newProblem(p *preconditioned, above int, nu float64) *ratioProblem {
	return &ratioProblem{form: f.form, e: p.e, above: above, nu: nu, rest: make([]float64, p.n), worker: p.workers}
}

// error bounds the root mean square error of f over a sample of the rows, relative to
// f for PlainRatio: with the gradient h of the objective as a function, in exact kernel
// values, ‖h‖/nu.
func (f *ratioFit) error(values compute.Matrix) float64 {
	sample := f.p.sample()
	first, _ := f.problem.derivatives(values)
	h := compute.NewMatrix(len(sample), 1)
	f.p.c.of.Mul(h, gather(f.p.x, sample), f.p.x, first)
	lack, size := 0.0, 0.0
	for i, s := range sample {
		lack = math.Hypot(lack, h.Data[i]/f.nu+values.Data[s])
		size = math.Hypot(size, values.Data[s])
	}
	if f.form == LogRatio {
		return lack / math.Sqrt(float64(len(sample)))
	}
	return lack / max(size, math.SmallestNonzeroFloat64)
}

func (f *ratioFit) model(rest *restPart, phi, values compute.Matrix) (*Ratio, error) {
	m := &Ratio{centred: centred{f: rest.composite(phi), report: f.p.report(rest.steps, f.nu, f.error(values))}, form: f.form}
	if err := m.f.check(); err != nil {
		return nil, err
	}
	return m, m.report.conclude(f.r, f.tolerance, f.strict)
}
