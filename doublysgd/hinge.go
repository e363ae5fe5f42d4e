package doublysgd

import (
	"cmp"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// The squared loss of targets ±1 punishes scores that are right by more than one,
// the squared hinge does not, and makes fewer errors where classes can be told
// apart. Its curvature is the same: bandwidth, ridge and features are found by the
// squared loss, which takes one step a block, and a few passes over the same normal
// equations lead from its minimum towards that of the hinge.

// sharesNormalEquations reports whether l is a smooth loss of labels ±1 with the
// curvature of the squared loss, as the squared hinge is: the normal equations of the
// one serve the other.
func sharesNormalEquations(l loss.Loss) bool { return loss.Margin(l) && l.Curvature() == 1 }

// choosesLoss reports whether a fit ends with the squared hinge, or may.
func choosesLoss(t *task) bool {
	return t.options.classes > 0 && t.options.Tolerance == 0 && (t.options.lossOpen || sharesNormalEquations(t.loss))
}

// hingeLoss returns the loss that such a fit goes on to.
func hingeLoss(t *task) loss.Scalar {
	if t.options.lossOpen {
		return loss.SquaredHinge{}
	}
	return t.loss.(loss.Scalar)
}

// continueUnder goes on under l, the squared hinge or one like it, as long as that lowers the
// number of wrong labels on rows held out, and returns to the squared loss where it was
// not asked for and gained no more than chance would. A squared hinge that was asked for
// has one pass at least, or as many as the options say.
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

// minimiseNow continues under another loss.
func minimiseNow(p *passes, l loss.Scalar) {
	p.minimise(l)
	p.solver.Minimise(l)
}

// mistakes returns the weights of those rows held out that have wrong labels, and 0 for the
// others.
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

// squaredDifferences returns the variance of the difference of two sums of mistakes, were
// it by chance.
func squaredDifferences(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return sum
}
