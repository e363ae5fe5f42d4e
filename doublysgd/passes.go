package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// mostPasses bounds the passes at one number of features.
	mostPasses = 100
	// finalPasses bounds the passes by which multipliers come to rest, where their
	// relative residuals are below atRest.
	finalPasses = 60
	atRest      = 0.01
	// refreshEvery is the number of passes after which rounding is taken out of the
	// scores and the moves are forgotten: what rounding leaves in these grows.
	refreshEvery = 40
)

// settle takes passes as often as the options say, or while it lowers the criterion on
// rows held out.
func (w *run) settle() {
	if w.options.Tolerance > 0 && w.options.Features > 0 {
		return
	}
	held := w.solver.risk.Count() > w.solver.train
	best, last := math.Inf(1), 0 // the pass of the last gain
	for pass := range cmp.Or(w.options.Passes, mostPasses) {
		w.pass()
		if w.monitor.Stopped() {
			return
		}
		if held {
			w.heldOut = w.solver.heldOut()
		}
		if !held || w.heldOut < (1-passGain)*best {
			best, last = w.heldOut, pass
		}
		if w.exact() || w.options.Passes == 0 && (pass-last >= w.mostIdle() || !held && pass == 4*w.mostIdle()) {
			return
		}
	}
}

// exact reports whether one pass leads to the minimum.
func (w *run) exact() bool { return loss.Quadratic(w.loss) && w.solver.function.Count() == 1 }

// mostIdle is the number of passes without gain after which no more are taken.
func (w *run) mostIdle() int {
	switch {
	case loss.Kinked(w.loss):
		return 8
	case loss.Quadratic(w.loss):
		return 1
	}
	return 3
}

// finish takes passes over all rows, once those held out are among them: until the
// multipliers of a loss with kinks have come to rest, or once.
func (w *run) finish() {
	w.pass()
	for range finalPasses {
		if w.solver.kink == nil || w.solver.kink.error() < atRest || w.monitor.Stopped() {
			return
		}
		w.pass()
	}
}

// pass visits all blocks and goes to the minimum over the last moves. Passes in
// one direction gain more at first, passes there and back in the long run.
func (w *run) pass() float64 {
	if w.passes > 0 && w.passes%refreshEvery == 0 {
		w.solver.refresh()
		w.history = newHistory(w.solver)
	}
	w.history.begin(w.solver)
	norm := 0.0
	for b := 0; b < w.solver.function.Count() && !w.monitor.Stopped(); b++ {
		at := b
		if w.options.Tolerance > 0 && w.passes%2 == 1 { // there and back
			at = w.solver.function.Count() - 1 - b
		}
		norm += w.solver.visit(at)
		w.visited("fit", w.solver)
	}
	if !w.monitor.Stopped() {
		w.history.end(w.solver)
		w.solver.advance()
		w.passes++
	}
	return math.Sqrt(norm)
}

// visited reports progress after a visit of a block.
func (w *run) visited(phase string, v *revisit) {
	w.visits++
	if !w.monitor.Silent() {
		w.monitor.Report(rkhs.Progress{Phase: phase, Done: w.visits, Iteration: w.visits, ModelOrder: v.function.Count(), Objective: v.meanLoss(), Gap: math.NaN()})
	}
}

// converge takes passes until the gradient is below the tolerance, if there is one.
func (w *run) converge() error {
	if w.options.Tolerance == 0 || w.monitor.Stopped() {
		return nil
	}
	start := 0.0
	if w.solver.kink == nil {
		_, start = w.solver.gradientNorms(w.monitor.Stopped)
	}
	limit := cmp.Or(w.options.Passes, 1000)
	for range limit {
		if w.within(w.pass(), start) || w.monitor.Stopped() {
			return nil
		}
	}
	return fmt.Errorf("doublysgd: the gradient is above %v of that at zero after %d passes: %w", w.options.Tolerance, limit, rkhs.ErrNotConverged)
}

// within reports whether the tolerance is met after a pass whose right sides had
// the given norm.
func (w *run) within(norm, start float64) bool {
	if w.solver.kink != nil {
		return w.solver.kink.error() <= w.options.Tolerance
	}
	if norm > w.options.Tolerance*start {
		return false
	}
	w.solver.refresh()
	now, _ := w.solver.gradientNorms(w.monitor.Stopped)
	return now <= w.options.Tolerance*start
}
