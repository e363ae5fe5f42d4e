package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// mostPasses bounds the passes at one number of features.
	mostPasses = 100
	// finalPasses is the maximum number of passes until the multipliers converge: their relative
	// residuals are then below atRest.
	finalPasses = 60
	atRest      = 0.01
)

// passes are the passes of a Revisit fit.
type passes struct {
	*task
	solver    *revisit.Solver
	criterion float64 // on held-out rows, or NaN
	done      int
	rows      int     // that are visited
	spent     float64 // floating-point operations
	bound     float64 // of spent
}

// settle performs Options.Passes passes, or passes while the held-out criterion falls within the
// bound.
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

// mostIdle returns the number of passes without a gain that ends the fit.
func (p *passes) mostIdle() int {
	switch {
	case loss.Kinked(p.loss):
		return 8
	case loss.Quadratic(p.loss):
		return 1
	}
	return 3
}

// finish performs passes over all rows: one, or for losses with kinks until the multipliers
// converge.
func (p *passes) finish() {
	p.pass()
	for range finalPasses {
		if p.solver.Residual() < atRest || p.monitor.Stopped() {
			return
		}
		p.pass()
	}
}

// pass performs one pass and returns the norm of its right-hand sides.
func (p *passes) pass() float64 {
	norm := p.solver.Pass(p.done, func(blocks int) {
		p.spent += float64(blocks) * p.work(p.rows).visit()
		p.visited("fit", p.solver)
	})
	if !p.monitor.Stopped() {
		p.done++
	}
	return norm
}

// visited reports progress after the visit of a block.
func (p *passes) visited(phase string, v *revisit.Solver) {
	p.visits++
	if !p.monitor.Silent() {
		p.monitor.Report(rkhs.Progress{Phase: phase, Done: p.visits, Iteration: p.visits, ModelOrder: v.Function.Count(), Objective: v.MeanLoss(), Gap: math.NaN()})
	}
}

// converge performs passes until the gradient is within Options.Tolerance, if set.
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

// hyperparameters are selected from the data.
type hyperparameters struct {
	kernel kernel.Kernel
	ridge  float64
	single bool // whether features may be in single precision
}

// jointRows is the number of rows up to which a pass is one joint step for any loss, in double
// precision.
const jointRows = 2048

// joint reports whether a pass is one joint step. Options.Passes excludes it. For more than
// jointRows rows it also requires a quadratic loss, too few rows for calibration, and less work than
// two fits by blocks.
func (t *task) joint(rows int) bool {
	switch {
	case t.options.Passes > 0:
		return false
	case rows <= jointRows:
		return true
	}
	w, features := t.work(rows), cmp.Or(t.options.Features, featuresPerRow*rows)
	return t.oneStep() && rows < manyRows && w.joint(features) <= 2*w.fit((features+t.columns-1)/t.columns)
}

// oneStep reports whether one step minimises the loss, or the squared loss that the fit starts with.
func (t *task) oneStep() bool { return loss.Quadratic(t.loss) || sharesNormalEquations(t.loss) }

// problem returns the problem on the rows of an order, of which the first are training rows.
func (t *task) problem(c hyperparameters, order []int, train, columns int) (revisit.Problem, error) {
	f, err := t.zero(c.kernel, columns)
	if err != nil {
		return revisit.Problem{}, err
	}
	o, joint := t.options, t.joint(len(order))
	return revisit.Problem{
		Package: pkg, X: t.x, Risk: t.risk, Order: order, Train: train, Function: f, Ridge: c.ridge,
		Joint: joint, Single: c.single && !(joint && len(order) <= jointRows), Converge: o.Tolerance > 0,
		Features: o.Features, CacheSize: o.CacheSize, MemoryLimit: o.MemoryLimit, Workers: o.Workers, Stopped: t.monitor.Stopped,
	}, nil
}

// newSolver returns a solver of the problem at f = 0.
func (t *task) newSolver(c hyperparameters, order []int, train, columns int) (*revisit.Solver, error) {
	p, err := t.problem(c, order, train, columns)
	if err != nil {
		return nil, err
	}
	return revisit.New(p)
}

// sharesNormalEquations reports whether l is a smooth loss of labels ±1 with the curvature of the
// squared loss, such as the squared hinge. Both then have the same normal equations.
//
// The squared loss penalises scores that exceed 1 on the correct side, and the squared hinge does
// not. A fit therefore selects kernel, ridge and features under the squared loss, in one step a
// block, and continues from its minimum under the squared hinge.
func sharesNormalEquations(l loss.Loss) bool { return loss.Margin(l) && l.Curvature() == 1 }

// selectsLoss reports whether a fit may end with the squared hinge.
func selectsLoss(t *task) bool {
	return t.options.classes > 0 && t.options.Tolerance == 0 && (t.options.lossOpen || sharesNormalEquations(t.loss))
}

// hingeLoss returns the final loss of such a fit.
func hingeLoss(t *task) loss.Scalar {
	if t.options.lossOpen {
		return loss.SquaredHinge{}
	}
	return t.loss.(loss.Scalar)
}

// continueUnder continues under l while the number of held-out errors falls. It returns to the
// squared loss if the loss was not given and the gain is within one standard error. A given squared
// hinge has at least one pass, or Options.Passes.
func continueUnder(p *passes, l loss.Scalar) {
	was, before := mistakes(p.solver), p.solver.Snapshot()
	minimiseNow(p, l)
	best, last := was, before
	for pass := range cmp.Or(p.options.Passes, mostPasses) {
		p.pass()
		now, asked := mistakes(p.solver), !p.options.lossOpen && (pass == 0 || p.options.Passes > 0)
		if p.monitor.Stopped() || floats.Sum(now) >= floats.Sum(best) && !asked {
			break
		}
		best, last = now, p.solver.Snapshot()
	}
	p.solver.Restore(last)
	if gain := floats.Sum(was) - floats.Sum(best); p.options.lossOpen && gain*gain <= squaredDifferences(was, best) {
		p.solver.Restore(before)
		minimiseNow(p, loss.Squared{})
	}
	p.measure()
}

// minimiseNow sets the loss of the task and the solver.
func minimiseNow(p *passes, l loss.Scalar) {
	p.minimise(l)
	p.solver.Minimise(l)
}

// mistakes returns the weight of each held-out row with a wrong label, and 0 for other rows.
func mistakes(v *revisit.Solver) []float64 {
	risk, scores := v.HeldOut()
	wrong := make([]float64, scores.Rows)
	for i := range wrong {
		if !(risk.Margin(compute.Row(scores, i), i) > 0) {
			wrong[i] = risk.Weights.At(i)
		}
	}
	return wrong
}

// squaredDifferences returns the variance of the difference of two sums of mistakes.
func squaredDifferences(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return sum
}
