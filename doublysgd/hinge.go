package doublysgd

import (
	"cmp"

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
		if p.monitor.Stopped() || count(now) >= count(best) && !asked {
			break
		}
		best, last = now, p.solver.Snapshot()
	}
	p.solver.Restore(last)
	if gain := count(was) - count(best); p.options.lossOpen && gain*gain <= differences(was, best) {
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

// mistakes says which of the rows held out have wrong labels.
func mistakes(v *revisit.Solver) []bool {
	risk, scores := v.HeldOut()
	wrong := make([]bool, scores.Rows)
	for i := range wrong {
		wrong[i] = !(risk.Margin(compute.Row(scores, i), i) > 0)
	}
	return wrong
}

func count(a []bool) (n int) {
	for _, v := range a {
		if v {
			n++
		}
	}
	return n
}

func differences(a, b []bool) (n int) {
	for i, v := range a {
		if v != b[i] {
			n++
		}
	}
	return n
}
