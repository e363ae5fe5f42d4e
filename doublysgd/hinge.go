package doublysgd

import (
	"cmp"

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
func continueUnder(w *run, l loss.Scalar) {
	was, before := w.solver.mistakes(), w.solver.snapshot()
	minimiseNow(w, l)
	best, last := was, before
	for pass := range cmp.Or(w.options.Passes, mostPasses) {
		w.pass()
		now, asked := w.solver.mistakes(), !w.options.lossOpen && (pass == 0 || w.options.Passes > 0)
		if w.monitor.Stopped() || count(now) >= count(best) && !asked {
			break
		}
		best, last = now, w.solver.snapshot()
	}
	w.solver.restore(last)
	if gain := count(was) - count(best); w.options.lossOpen && gain*gain <= differences(was, best) {
		w.solver.restore(before)
		minimiseNow(w, loss.Squared{})
	}
	w.heldOut = w.solver.heldOut()
}

// minimiseNow continues under another loss.
func minimiseNow(w *run, l loss.Scalar) {
	w.minimise(l)
	k := *w.solver.risk
	k.Scalar = l
	w.solver.risk, w.history = &k, newHistory(w.solver)
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
