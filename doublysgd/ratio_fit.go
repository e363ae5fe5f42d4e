package doublysgd

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
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
	f.p.c.of.Mul(h, pickRows(f.p.x, sample), f.p.x, first)
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

const (
	ratioSearchRows    = 1000 // of each kind at most, a fifth of which is held out
	ratioSearchCentres = 100
)

// choose finds the bandwidth and the ridge that are not given.
func (f *ratioFit) choose(x, y, rows compute.Matrix) error {
	given := f.o.kernel
	s := settings{Options: Options{Kernel: given, Seed: f.o.seed}}
	var err error
	if f.o.kernel, err = s.kernel(rows); err != nil {
		return err
	}
	prior := prior{kernel: f.o.kernel}
	if size := prior.kernelMean(rows, f.o.workers); !finite(size) {
		return fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
	}
	if given != nil && f.nu > 0 || x.Rows < 5 || y.Rows < 5 {
		f.nu = orDefault(f.nu, 0.1)
		return nil
	}
	kernels := []kernel.Kernel{f.o.kernel}
	if g, ok := f.o.kernel.(kernel.Gaussian); ok && given == nil {
		for _, factor := range []float64{1. / 4, 1. / 2, 2} {
			kernels = append(kernels, kernel.Gaussian{Sigma: factor * g.Sigma})
		}
	}
	t := f.newTrial(x, y)
	best := math.Inf(1)
	for _, k := range kernels {
		nu, loss, err := t.best(k)
		if err != nil {
			return err
		}
		if loss < best {
			best, t.nu, f.o.kernel = loss, nu, k
		}
	}
	f.nu = t.nu
	return nil
}

// ratioTrial compares kernels and ridges on rows held out, with few centres and no
// rest.
type ratioTrial struct {
	*ratioFit
	train, held         compute.Matrix
	aboveTrain, aboveIn int
	nu                  float64
}

func (f *ratioFit) newTrial(x, y compute.Matrix) *ratioTrial {
	parts := make([]compute.Matrix, 0, 4)
	for i, m := range []compute.Matrix{x, y} {
		n := min(m.Rows, ratioSearchRows)
		rows := rng.New(f.o.seed, "doublysgd ratio", uint64(i)).Sample(m.Rows, n)
		parts = append(parts, pickRows(m, rows[n/5:]), pickRows(m, rows[:n/5]))
	}
	return &ratioTrial{
		ratioFit: f, train: stack(parts[0], parts[2]), held: stack(parts[1], parts[3]),
		aboveTrain: parts[0].Rows, aboveIn: parts[1].Rows, nu: orDefault(f.nu, 0.1),
	}
}

// best returns the ridge of the least loss on rows held out, from the largest down
// until two in a row bring nothing.
func (t *ratioTrial) best(k kernel.Kernel) (nu, loss float64, err error) {
	c, _, err := newCentres(kernel.Evaluator{Kernel: k, Workers: t.o.workers}, t.train, ratioSearchCentres, restNegligible, t.o.seed)
	if err != nil {
		return 0, 0, err
	}
	fit := &ratioProblem{form: t.form, e: c.at(t.train), above: t.aboveTrain, rest: make([]float64, t.train.Rows), worker: t.o.workers}
	held := &ratioProblem{form: t.form, e: c.at(t.held), above: t.aboveIn, rest: make([]float64, t.held.Rows), worker: t.o.workers}
	first, last := 10.0, 1e-6
	if t.ratioFit.nu > 0 {
		first, last = t.ratioFit.nu, t.ratioFit.nu
	}
	phi := compute.NewMatrix(c.count(), 1)
	nu, loss = first, math.Inf(1)
	for worse, try := 0, first; worse < 2 && try > last*0.99 && !t.r.Stopped(); try /= 10 {
		fit.nu = try
		fit.solve(phi)
		worse++
		if l := held.criterion(held.values(phi)); l < loss {
			nu, loss, worse = try, l, 0
		}
	}
	return nu, loss, nil
}
