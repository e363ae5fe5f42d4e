package doublysgd

import "math"

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
