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
func (r *run) settle() {
	if r.options.Tolerance > 0 && r.options.Features > 0 {
		return
	}
	held := r.solver.risk.Count() > r.solver.train
	best, last := math.Inf(1), 0 // the pass of the last gain
	for pass := range cmp.Or(r.options.Passes, mostPasses) {
		r.pass()
		if r.monitor.Stopped() {
			return
		}
		if held {
			r.heldOut = r.solver.heldOut()
		}
		if !held || r.heldOut < (1-passGain)*best {
			best, last = r.heldOut, pass
		}
		if r.exact() || r.options.Passes == 0 && (pass-last >= r.mostIdle() || !held && pass == 4*r.mostIdle()) {
			return
		}
	}
}

// exact reports whether one pass leads to the minimum.
func (r *run) exact() bool { return loss.Quadratic(r.loss) && r.solver.function.Count() == 1 }

// mostIdle is the number of passes without gain after which no more are taken.
func (r *run) mostIdle() int {
	switch {
	case loss.Kinked(r.loss):
		return 8
	case loss.Quadratic(r.loss):
		return 1
	}
	return 3
}

// finish takes passes over all rows, once those held out are among them: until the
// multipliers of a loss with kinks have come to rest, or once.
func (r *run) finish() {
	r.pass()
	for range finalPasses {
		if r.solver.kink == nil || r.solver.kink.error() < atRest || r.monitor.Stopped() {
			return
		}
		r.pass()
	}
}

// pass visits all blocks and goes to the minimum over the last moves. Passes in
// one direction gain more at first, passes there and back in the long run.
func (r *run) pass() float64 {
	if r.passes > 0 && r.passes%refreshEvery == 0 {
		r.solver.refresh()
		r.history = newHistory(r.solver)
	}
	r.history.begin(r.solver)
	norm := 0.0
	for b := 0; b < r.solver.function.Count() && !r.monitor.Stopped(); b++ {
		at := b
		if r.options.Tolerance > 0 && r.passes%2 == 1 { // there and back
			at = r.solver.function.Count() - 1 - b
		}
		norm += r.solver.visit(at)
		r.visited("fit", r.solver)
	}
	if !r.monitor.Stopped() {
		r.history.end(r.solver)
		r.solver.advance()
		r.passes++
	}
	return math.Sqrt(norm)
}

// visited reports progress after a visit of a block.
func (r *run) visited(phase string, v *revisit) {
	r.visits++
	if !r.monitor.Silent() {
		r.monitor.Report(rkhs.Progress{Phase: phase, Done: r.visits, Iteration: r.visits, ModelOrder: v.function.Count(), Objective: v.meanLoss(), Gap: math.NaN()})
	}
}

// converge takes passes until the gradient is below the tolerance, if there is one.
func (r *run) converge() error {
	if r.options.Tolerance == 0 || r.monitor.Stopped() {
		return nil
	}
	start := 0.0
	if r.solver.kink == nil {
		_, start = r.solver.gradientNorms(r.monitor.Stopped)
	}
	limit := cmp.Or(r.options.Passes, 1000)
	for range limit {
		if r.within(r.pass(), start) || r.monitor.Stopped() {
			return nil
		}
	}
	return fmt.Errorf("doublysgd: the gradient is above %v of that at zero after %d passes: %w", r.options.Tolerance, limit, rkhs.ErrNotConverged)
}

// within reports whether the tolerance is met after a pass whose right sides had
// the given norm.
func (r *run) within(norm, start float64) bool {
	if r.solver.kink != nil {
		return r.solver.kink.error() <= r.options.Tolerance
	}
	if norm > r.options.Tolerance*start {
		return false
	}
	r.solver.refresh()
	now, _ := r.solver.gradientNorms(r.monitor.Stopped)
	return now <= r.options.Tolerance*start
}
