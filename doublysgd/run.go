package doublysgd

import (
	"cmp"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// run is a fit by revisiting: what is chosen on rows held out is chosen while
// the blocks are visited.
type run struct {
	passes
	unit float64 // mean of k(x, x), the unit of ridges
}

// fit chooses what is open, grows, and goes on with all rows.
func (r *run) fit() (*Model, error) {
	o := r.options
	r.monitor.Report(rkhs.Progress{Phase: "search", Objective: math.NaN(), Gap: math.NaN()}) // the first visit may take long
	mean, err := choose.MeanDiagonal(pkg, kernel.Evaluator{Kernel: r.bandwidth.Kernel(), Workers: o.Workers}, r.x)
	if err != nil {
		return nil, err
	}
	r.unit, r.criterion = cmp.Or(mean, 1), math.NaN()
	order, train := r.split()
	var hinge loss.Scalar
	if train < len(order) && choosesLoss(r.task) {
		hinge = hingeLoss(r.task)
		r.minimise(loss.Squared{})
	}
	c := hyperparameters{kernel: r.bandwidth.Kernel(), ridge: cmp.Or(o.Ridge, 1e-6*r.unit)}
	if train < len(order) && (o.Kernel == nil || o.Ridge == 0) {
		c = search(r, order)
	}
	if r.solver, err = newRevisit(r.task, c, order, train, r.columns); err != nil {
		return nil, err
	}
	r.history = newHistory(r.solver)
	r.grow()
	if hinge != nil && !r.monitor.Stopped() {
		continueUnder(&r.passes, hinge)
	}
	if train < len(order) && !r.monitor.Stopped() {
		r.solver.include(len(order))
		r.history = newHistory(r.solver)
		r.finish()
	}
	err = r.converge()
	r.solver.fitConstant()
	r.units = r.units.Shifted(r.solver.constant)
	m, stopped := r.model(r.solver.function, r.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// chooses reports whether anything is left to be chosen on rows held out.
func (r *run) chooses() bool {
	o := r.options
	return o.Kernel == nil || o.Ridge == 0 || o.Features == 0 || o.Passes == 0 && o.Tolerance == 0
}

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (r *run) split() (order []int, train int) {
	n := r.x.Rows
	if !r.chooses() || n < 10 {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order, n
	}
	return r.permutation(0), n - max(n/10, min(n/3, 2000))
}

// report measures the solution, at the cost of computing all features once.
func (r *run) report() Report {
	report, v := unknown(), r.solver
	report.Ridge, report.Rows, report.Passes, report.HeldOutLoss = v.ridge, v.train, r.taken, r.criterion
	report.Objective = v.meanLoss() + v.ridge/2*float64(v.function.Count())*v.function.SquaredNorm()
	if r.monitor.Stopped() {
		return report
	}
	if v.kink != nil {
		report.Gradient = v.kink.error()
		return report
	}
	norm, start := v.gradientNorms(r.monitor.Stopped)
	report.Gradient = relative(norm, start)
	g := norm * v.curvature() / float64(v.train)
	report.Gap = g * g / (2 * v.ridge * float64(v.function.Count()))
	return report
}

// hyperparameters are what is found from data.
type hyperparameters struct {
	kernel kernel.Kernel
	ridge  float64
}

const (
	// growthGain is the fraction of the loss on rows held out that doubling the
	// features must gain.
	growthGain = 0.005
	// passGain is the fraction that a pass, or a lower ridge, must gain.
	passGain = 0.01
)

const (
	defaultMaxFeatures = 16384
	maxFeatureValues   = 1 << 29 // rows times features up to which there may be more
)

// blocks returns the number of blocks to begin with and the largest one.
func (r *run) blocks() (first, last int) {
	c := r.columns
	if r.options.Features > 0 {
		last = (r.options.Features + c - 1) / c
		return last, last
	}
	n := r.x.Rows
	return 1, max(1, min(min(max(defaultMaxFeatures, maxFeatureValues/n), 4*n)/c, r.solver.most))
}

// grow doubles the number of blocks while that lowers the criterion on rows held
// out, at a ridge that is lowered in the end.
func (r *run) grow() {
	first, last := r.blocks()
	for n := first; ; n = min(2*n, last) {
		r.solver.function.Grow(n)
		r.history = newHistory(r.solver)
		before := r.criterion
		r.settle()
		grown := n == last || r.criterion > (1-growthGain)*before
		if r.monitor.Stopped() || grown && !r.lower() || n == last {
			return
		}
	}
}

// lower divides the ridge by ten while that lowers the criterion on rows held out,
// and reports whether it did: it was found for fewer rows and features, and weighs
// less the more there are.
func (r *run) lower() (lowered bool) {
	for r.options.Ridge == 0 && r.solver.kink == nil && !math.IsNaN(r.criterion) && r.solver.ridge > 1.01*smallestRidge*r.unit {
		before, was := r.criterion, r.solver.snapshot()
		r.solver.ridge /= 10
		r.history = newHistory(r.solver)
		r.pass()
		if r.monitor.Stopped() {
			return lowered
		}
		if r.criterion = r.solver.criterion(); !(r.criterion < (1-passGain)*before) {
			r.criterion = before
			r.solver.restore(was)
			r.history = newHistory(r.solver)
			return lowered
		}
		lowered = true
		r.settle()
	}
	return lowered
}
