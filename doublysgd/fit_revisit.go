package doublysgd

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// run is a fit by revisiting: what is chosen on rows held out is chosen while
// the blocks are swept.
type run struct {
	*job
	v       *revisit
	h       *history
	heldOut float64
	passes  int
}

const (
	// growthGain is the fraction of the loss on rows held out that doubling the
	// features must gain.
	growthGain = 0.005
	// sweepGain is the fraction that a sweep, or a lower ridge, must gain.
	sweepGain = 0.01
	// mostSweeps bounds the sweeps at one number of features.
	mostSweeps = 100
	// finalSweeps bounds the sweeps by which multipliers come to rest, where their
	// relative residuals are below atRest.
	finalSweeps = 60
	atRest      = 0.01
	// refreshEvery is the number of sweeps after which rounding is taken out of the
	// scores and the moves are forgotten: what rounding leaves in these grows.
	refreshEvery = 40
)

func (j *job) fitRevisit() (*Model, error) {
	order, train := j.split()
	c := choice{kernel: j.kernel, ridge: orDefault(j.Ridge, 1e-6)}
	if train < len(order) && (j.Kernel == nil || j.Ridge == 0) {
		c = j.search(order)
	}
	v, err := j.newRevisit(c, order, train, j.columns)
	if err != nil {
		return nil, err
	}
	w := &run{job: j, v: v, h: newHistory(v), heldOut: math.NaN()}
	w.grow()
	if train < len(order) && !j.r.Stopped() {
		v.include(len(order))
		w.h = newHistory(v)
		w.finish()
	}
	err = w.converge()
	m, stopped := j.model(v.e, w.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// chooses reports whether anything is left to be chosen on rows held out.
func (j *job) chooses() bool {
	return j.Kernel == nil || j.Ridge == 0 || j.Features == 0 || j.Passes == 0 && j.Tolerance == 0
}

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (j *job) split() (order []int, train int) {
	n := j.x.Rows
	if !j.chooses() || n < 10 {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order, n
	}
	return j.permutation(0), n - max(n/10, min(n/3, 2000))
}

// newRevisit returns the fit of f = 0 to the rows of an order, of which the first
// are trained on.
func (j *job) newRevisit(c choice, order []int, train, columns int) (*revisit, error) {
	e, err := j.newMap(c.kernel, columns, j.Seed)
	if err != nil {
		return nil, err
	}
	n, q := len(order), j.outputs()
	single := j.Precision == Single && servesSingle(e.block(0), j.x, columns)
	size, used := int64(8), int64(0)
	if single {
		size = 4
	}
	used = size*int64(n)*int64(j.x.Cols) + 8*int64(n)*int64(q)*(4+historyLength) + min(j.CacheSize, size*int64(n)*int64(columns)) + 3*8*int64(columns)*int64(columns)
	if used > j.MemoryLimit {
		return nil, fmt.Errorf("doublysgd: a fit to %d rows of %d columns in blocks of %d features needs %s, the limit is %s: %w",
			n, j.x.Cols, columns, mebibytes(used), mebibytes(j.MemoryLimit), rkhs.ErrMemory)
	}
	v := &revisit{e: e, k: j.risk.ordered(order), f: compute.NewMatrix(n, q), r: compute.NewMatrix(n, q), train: train,
		ridge: c.ridge, keep: int((j.MemoryLimit - used) / (8 * int64(columns) * int64(columns))), workers: j.Workers}
	if single {
		v.d = newSingleDesign(j.x, order, train, columns, j.Workers, j.CacheSize)
	} else {
		v.d = newDoubleDesign(j.x, order, train, columns, j.Workers, j.CacheSize)
	}
	if kinked(j.Loss) {
		v.kink = newSplitting(v.k, n, q)
		v.kink.include(v.f, 0, train)
	}
	return v, nil
}

// blocks returns the number of blocks to begin with and the largest one.
func (w *run) blocks() (first, last int) {
	c := w.columns
	if w.Features > 0 {
		last = (w.Features + c - 1) / c
		return last, last
	}
	n := w.x.Rows
	return 1, max(1, min(max(defaultMaxFeatures, maxFeatureValues/n), 4*n)/c)
}

// grow doubles the number of blocks while that lowers the criterion on rows held
// out, at a ridge that is lowered in the end.
func (w *run) grow() {
	first, last := w.blocks()
	for n := first; ; n = min(2*n, last) {
		w.v.e.grow(n)
		w.h = newHistory(w.v)
		before := w.heldOut
		w.settle()
		grown := n == last || w.heldOut > (1-growthGain)*before
		if w.r.Stopped() || grown && !w.lower() || n == last {
			return
		}
	}
}

// lower divides the ridge by ten while that lowers the criterion on rows held out,
// and reports whether it did: it was found for fewer rows and features, and weighs
// less the more there are.
func (w *run) lower() (lowered bool) {
	for w.Ridge == 0 && w.v.kink == nil && w.v.train < w.v.k.count() && w.v.ridge > 1.01*smallestTried {
		before, was := w.heldOut, w.v.snapshot()
		w.v.ridge /= 10
		w.h = newHistory(w.v)
		w.sweep()
		if w.r.Stopped() {
			return lowered
		}
		if w.heldOut = w.v.heldOut(); !(w.heldOut < (1-sweepGain)*before) {
			w.heldOut = before
			w.v.restore(was)
			w.h = newHistory(w.v)
			return lowered
		}
		lowered = true
		w.settle()
	}
	return lowered
}

// settle sweeps as often as the options say, or while it lowers the criterion on
// rows held out.
func (w *run) settle() {
	if w.Tolerance > 0 && w.Features > 0 {
		return
	}
	held := w.v.k.count() > w.v.train
	best, last := math.Inf(1), 0 // the sweep of the last gain
	for pass := range orDefault(w.Passes, mostSweeps) {
		w.sweep()
		if w.r.Stopped() {
			return
		}
		if held {
			w.heldOut = w.v.heldOut()
		}
		if !held || w.heldOut < (1-sweepGain)*best {
			best, last = w.heldOut, pass
		}
		if w.Passes == 0 && (pass-last >= w.patience() || !held && pass == 4*w.patience()) {
			return
		}
	}
}

// patience is the number of sweeps without gain after which no more are taken.
func (j *job) patience() int {
	switch {
	case kinked(j.Loss):
		return 8
	case isSquared(j.Loss):
		return 1
	}
	return 3
}

// finish sweeps over all rows, once those held out are among them: until the
// multipliers of a loss with kinks have come to rest, or once.
func (w *run) finish() {
	w.sweep()
	for range finalSweeps {
		if w.v.kink == nil || w.v.kink.error() < atRest || w.r.Stopped() {
			return
		}
		w.sweep()
	}
}

// sweep visits all blocks and goes to the minimum over the last moves. Sweeps in
// one direction gain more at first, sweeps there and back in the long run.
func (w *run) sweep() float64 {
	w.h.begin(w.v)
	norm := 0.0
	for b := 0; b < w.v.e.count() && !w.r.Stopped(); b++ {
		at := b
		if w.Tolerance > 0 && w.passes%2 == 1 { // there and back
			at = w.v.e.count() - 1 - b
		}
		norm += w.v.visit(at)
		w.visits++
		if !w.r.Silent() {
			w.r.Report(rkhs.Progress{Iteration: w.visits, ModelOrder: w.v.e.count(), Objective: w.v.meanLoss(), Gap: math.NaN()})
		}
	}
	if !w.r.Stopped() {
		w.h.end(w.v)
		w.v.advance()
		w.passes++
	}
	return math.Sqrt(norm)
}

// converge sweeps until the gradient is below the tolerance, if there is one.
func (w *run) converge() error {
	if w.Tolerance == 0 || w.r.Stopped() {
		return nil
	}
	start := 0.0
	if w.v.kink == nil {
		_, start = w.v.gradientNorms(w.r.Stopped)
	}
	limit := orDefault(w.Passes, 1000)
	for i := range limit {
		if i%refreshEvery == refreshEvery-1 {
			w.v.refresh()
			w.h = newHistory(w.v)
		}
		if w.within(w.sweep(), start) || w.r.Stopped() {
			return nil
		}
	}
	return fmt.Errorf("doublysgd: the gradient is above %v of that at zero after %d passes: %w", w.Tolerance, limit, rkhs.ErrNotConverged)
}

// within reports whether the tolerance is met after a sweep whose right sides had
// the given norm.
func (w *run) within(norm, start float64) bool {
	if w.v.kink != nil {
		return w.v.kink.error() <= w.Tolerance
	}
	if norm > w.Tolerance*start {
		return false
	}
	w.v.refresh()
	now, _ := w.v.gradientNorms(w.r.Stopped)
	return now <= w.Tolerance*start
}

// report measures the solution, at the cost of computing all features once.
func (w *run) report() Report {
	r := unknown()
	r.Ridge, r.Rows, r.Passes, r.HeldOut = w.v.ridge, w.v.train, w.passes, w.heldOut
	r.Objective = w.v.meanLoss() + w.v.ridge/2*float64(w.v.e.count())*w.v.e.squaredNorm()
	if w.r.Stopped() {
		return r
	}
	if w.v.kink != nil {
		r.Gradient = w.v.kink.error()
		return r
	}
	norm, start := w.v.gradientNorms(w.r.Stopped)
	r.Gradient = relative(norm, start)
	g := norm * w.v.curvature() / float64(w.v.train)
	r.Gap = g * g / (2 * w.v.ridge * float64(w.v.e.count()))
	return r
}

// choice is what is found from data.
type choice struct {
	kernel kernel.Kernel
	ridge  float64
}
