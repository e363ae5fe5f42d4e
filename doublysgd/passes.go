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

// passes are those of a fit by revisiting over the blocks.
type passes struct {
	*task
	solver    *revisit
	history   *history
	criterion float64 // on rows held out, or NaN
	taken     int
	rows      int     // that are visited
	spent     float64 // floating-point operations
	bound     float64 // on what is spent
}

// settle takes passes as often as the options say, or while it lowers the criterion on
// rows held out and the bound allows it.
func (p *passes) settle() {
	if p.options.Tolerance > 0 && p.options.Features > 0 {
		return
	}
	held := p.solver.risk.Count() > p.solver.train
	best, last := math.Inf(1), 0 // the pass of the last gain
	for pass := range cmp.Or(p.options.Passes, mostPasses) {
		p.pass()
		if p.monitor.Stopped() {
			return
		}
		if held {
			p.criterion = p.solver.criterion()
		}
		if !held || p.criterion < (1-passGain)*best {
			best, last = p.criterion, pass
		}
		idle := pass-last >= p.mostIdle() || !held && pass == 4*p.mostIdle() || !p.allows(1, p.solver.function.Count(), 0)
		if p.exact() || p.options.Passes == 0 && idle {
			return
		}
	}
}

// exact reports whether one pass leads to the minimum.
func (p *passes) exact() bool {
	return loss.Quadratic(p.loss) && (p.solver.joint != nil || p.solver.function.Count() == 1)
}

// mostIdle is the number of passes without gain after which no more are taken.
func (p *passes) mostIdle() int {
	switch {
	case loss.Kinked(p.loss):
		return 8
	case loss.Quadratic(p.loss):
		return 1
	}
	return 3
}

// finish takes passes over all rows, once those held out are among them: until the
// multipliers of a loss with kinks have come to rest, or once.
func (p *passes) finish() {
	p.pass()
	for range finalPasses {
		if p.solver.kink == nil || p.solver.kink.error() < atRest || p.monitor.Stopped() {
			return
		}
		p.pass()
	}
}

// pass visits all blocks and goes to the minimum over the last moves. Passes in
// one direction gain more at first, passes there and back in the long run.
func (p *passes) pass() float64 {
	if p.taken > 0 && p.taken%refreshEvery == 0 {
		p.solver.refresh()
		p.history = newHistory(p.solver)
	}
	p.history.begin(p.solver)
	norm := p.step()
	if !p.monitor.Stopped() {
		p.history.end(p.solver)
		p.solver.advance()
		p.taken++
	}
	return norm
}

// step takes the steps of a pass, and returns the norm of their right sides: of a step at
// all blocks at once it is not known. Where a tolerance is to be met visits follow it, which
// take out what rounding has left.
func (p *passes) step() float64 {
	count := p.solver.function.Count()
	if p.solver.joint != nil && count > 1 && (p.options.Tolerance == 0 || p.taken%3 == 0) {
		p.solver.joint.step(p.solver)
		p.spent += float64(count) * p.work(p.rows).visit()
		p.visited("fit", p.solver)
		return math.Inf(1)
	}
	norm := 0.0
	for b := 0; b < count && !p.monitor.Stopped(); b++ {
		at := b
		if p.options.Tolerance > 0 && p.taken%2 == 1 { // there and back
			at = count - 1 - b
		}
		norm += p.solver.visit(at)
		p.spent += p.work(p.rows).visit()
		p.visited("fit", p.solver)
	}
	return math.Sqrt(norm)
}

// visited reports progress after a visit of a block.
func (p *passes) visited(phase string, v *revisit) {
	p.visits++
	if !p.monitor.Silent() {
		p.monitor.Report(rkhs.Progress{Phase: phase, Done: p.visits, Iteration: p.visits, ModelOrder: v.function.Count(), Objective: v.meanLoss(), Gap: math.NaN()})
	}
}

// converge takes passes until the gradient is below the tolerance, if there is one.
func (p *passes) converge() error {
	if p.options.Tolerance == 0 || p.monitor.Stopped() {
		return nil
	}
	start := 0.0
	if p.solver.kink == nil {
		_, start = p.solver.gradientNorms()
	}
	limit := cmp.Or(p.options.Passes, 1000)
	for range limit {
		if p.within(p.pass(), start) || p.monitor.Stopped() {
			return nil
		}
	}
	return fmt.Errorf("doublysgd: the gradient is above %v of that at zero after %d passes: %w", p.options.Tolerance, limit, rkhs.ErrNotConverged)
}

// within reports whether the tolerance is met after a pass whose right sides had
// the given norm.
func (p *passes) within(norm, start float64) bool {
	if p.solver.kink != nil {
		return p.solver.kink.error() <= p.options.Tolerance
	}
	if norm > p.options.Tolerance*start {
		return false
	}
	p.solver.refresh()
	now, _ := p.solver.gradientNorms()
	return now <= p.options.Tolerance*start
}
