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
	*task
	unit    float64 // mean of k(x, x), the unit of ridges
	solver  *revisit
	history *history
	heldOut float64
	passes  int
}

// fit chooses what is open, grows, and goes on with all rows.
func (w *run) fit() (*Model, error) {
	o := w.options
	w.monitor.Report(rkhs.Progress{Phase: "search", Objective: math.NaN(), Gap: math.NaN()}) // the first visit may take long
	mean, err := choose.MeanDiagonal(pkg, kernel.Evaluator{Kernel: w.bandwidth.Kernel(), Workers: o.Workers}, w.x)
	if err != nil {
		return nil, err
	}
	w.unit, w.heldOut = cmp.Or(mean, 1), math.NaN()
	order, train := w.split()
	var hinge loss.Scalar
	if train < len(order) && choosesLoss(w.task) {
		hinge = hingeLoss(w.task)
		w.minimise(loss.Squared{})
	}
	c := choice{kernel: w.bandwidth.Kernel(), ridge: cmp.Or(o.Ridge, 1e-6*w.unit)}
	if train < len(order) && (o.Kernel == nil || o.Ridge == 0) {
		c = search(w, order)
	}
	if w.solver, err = newRevisit(w.task, c, order, train, w.columns); err != nil {
		return nil, err
	}
	w.history = newHistory(w.solver)
	w.grow()
	if hinge != nil && !w.monitor.Stopped() {
		continueUnder(w, hinge)
	}
	if train < len(order) && !w.monitor.Stopped() {
		w.solver.include(len(order))
		w.history = newHistory(w.solver)
		w.finish()
	}
	err = w.converge()
	m, stopped := w.model(w.solver.function, w.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// chooses reports whether anything is left to be chosen on rows held out.
func (w *run) chooses() bool {
	o := w.options
	return o.Kernel == nil || o.Ridge == 0 || o.Features == 0 || o.Passes == 0 && o.Tolerance == 0
}

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (w *run) split() (order []int, train int) {
	n := w.x.Rows
	if !w.chooses() || n < 10 {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order, n
	}
	return w.permutation(0), n - max(n/10, min(n/3, 2000))
}

// report measures the solution, at the cost of computing all features once.
func (w *run) report() Report {
	r, v := unknown(), w.solver
	r.Ridge, r.Rows, r.Passes, r.HeldOutLoss = v.ridge, v.train, w.passes, w.heldOut
	r.Objective = v.meanLoss() + v.ridge/2*float64(v.function.Count())*v.function.SquaredNorm()
	if w.monitor.Stopped() {
		return r
	}
	if v.kink != nil {
		r.Gradient = v.kink.error()
		return r
	}
	norm, start := v.gradientNorms(w.monitor.Stopped)
	r.Gradient = relative(norm, start)
	g := norm * v.curvature() / float64(v.train)
	r.Gap = g * g / (2 * v.ridge * float64(v.function.Count()))
	return r
}

// choice is what is found from data.
type choice struct {
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
func (w *run) blocks() (first, last int) {
	c := w.columns
	if w.options.Features > 0 {
		last = (w.options.Features + c - 1) / c
		return last, last
	}
	n := w.x.Rows
	return 1, max(1, min(min(max(defaultMaxFeatures, maxFeatureValues/n), 4*n)/c, w.solver.most))
}

// grow doubles the number of blocks while that lowers the criterion on rows held
// out, at a ridge that is lowered in the end.
func (w *run) grow() {
	first, last := w.blocks()
	for n := first; ; n = min(2*n, last) {
		w.solver.function.Grow(n)
		w.history = newHistory(w.solver)
		before := w.heldOut
		w.settle()
		grown := n == last || w.heldOut > (1-growthGain)*before
		if w.monitor.Stopped() || grown && !w.lower() || n == last {
			return
		}
	}
}

// lower divides the ridge by ten while that lowers the criterion on rows held out,
// and reports whether it did: it was found for fewer rows and features, and weighs
// less the more there are.
func (w *run) lower() (lowered bool) {
	for w.options.Ridge == 0 && w.solver.kink == nil && !math.IsNaN(w.heldOut) && w.solver.ridge > 1.01*smallestTried*w.unit {
		before, was := w.heldOut, w.solver.snapshot()
		w.solver.ridge /= 10
		w.history = newHistory(w.solver)
		w.pass()
		if w.monitor.Stopped() {
			return lowered
		}
		if w.heldOut = w.solver.heldOut(); !(w.heldOut < (1-passGain)*before) {
			w.heldOut = before
			w.solver.restore(was)
			w.history = newHistory(w.solver)
			return lowered
		}
		lowered = true
		w.settle()
	}
	return lowered
}
