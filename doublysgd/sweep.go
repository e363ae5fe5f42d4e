package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
)

const (
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

// settle sweeps as often as the options say, or while it lowers the criterion on
// rows held out.
func (w *run) settle() {
	if w.Tolerance > 0 && w.Features > 0 {
		return
	}
	held := w.v.k.count() > w.v.train
	best, last := math.Inf(1), 0 // the sweep of the last gain
	for pass := range cmp.Or(w.Passes, mostSweeps) {
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
		if w.exact() || w.Passes == 0 && (pass-last >= w.patience() || !held && pass == 4*w.patience()) {
			return
		}
	}
}

// exact reports whether one sweep leads to the minimum.
func (w *run) exact() bool { return loss.Quadratic(w.Loss) && w.v.e.count() == 1 }

// patience is the number of sweeps without gain after which no more are taken.
func (j *job) patience() int {
	switch {
	case loss.Kinked(j.Loss):
		return 8
	case loss.Quadratic(j.Loss):
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
	if w.passes > 0 && w.passes%refreshEvery == 0 {
		w.v.refresh()
		w.h = newHistory(w.v)
	}
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
	limit := cmp.Or(w.Passes, 1000)
	for range limit {
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
