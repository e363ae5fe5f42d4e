package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// mostPasses bounds the passes at one number of features.
	mostPasses = 100
	// finalPasses bounds the passes by which multipliers come to rest, where their
	// relative residuals are below atRest.
	finalPasses = 60
	atRest      = 0.01
)

// passes are those of a fit by revisiting over the blocks.
type passes struct {
	*task
	solver    *revisit.Solver
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
	held := p.solver.Rows() > p.solver.Train()
	best, last := math.Inf(1), 0 // the pass of the last gain
	for pass := range cmp.Or(p.options.Passes, mostPasses) {
		p.pass()
		if p.monitor.Stopped() {
			return
		}
		if held {
			p.measure()
		}
		if !held || p.criterion < (1-passGain)*best {
			best, last = p.criterion, pass
		}
		idle := pass-last >= p.mostIdle() || !held && pass == 4*p.mostIdle() || !p.allows(1, p.solver.Function.Count(), 0)
		if p.solver.Exact() || p.options.Passes == 0 && idle {
			return
		}
	}
}

// measure computes the criterion.
func (p *passes) measure() {
	risk, scores := p.solver.HeldOut()
	p.criterion = risk.Criterion(scores)
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
		if p.solver.Residual() < atRest || p.monitor.Stopped() {
			return
		}
		p.pass()
	}
}

// pass takes one pass, and returns the norm of the right sides of its visits.
func (p *passes) pass() float64 {
	norm := p.solver.Pass(p.taken, func(blocks int) {
		p.spent += float64(blocks) * p.work(p.rows).visit()
		p.visited("fit", p.solver)
	})
	if !p.monitor.Stopped() {
		p.taken++
	}
	return norm
}

// visited reports progress after a visit of a block.
func (p *passes) visited(phase string, v *revisit.Solver) {
	p.visits++
	if !p.monitor.Silent() {
		p.monitor.Report(rkhs.Progress{Phase: phase, Done: p.visits, Iteration: p.visits, ModelOrder: v.Function.Count(), Objective: v.MeanLoss(), Gap: math.NaN()})
	}
}

// converge takes passes until the gradient is below the tolerance, if there is one.
func (p *passes) converge() error {
	if p.options.Tolerance == 0 || p.monitor.Stopped() {
		return nil
	}
	start := p.solver.GradientAtZero()
	limit := cmp.Or(p.options.Passes, 1000)
	for range limit {
		if p.solver.Within(p.options.Tolerance, p.pass(), start) || p.monitor.Stopped() {
			return nil
		}
	}
	return fmt.Errorf("doublysgd: the gradient is above %v of that at zero after %d passes: %w", p.options.Tolerance, limit, rkhs.ErrNotConverged)
}
