package doublysgd

import (
	"cmp"

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
func (t *task) choosesLoss() bool {
	return t.options.classes > 0 && t.options.Tolerance == 0 && (t.options.lossOpen || sharesNormalEquations(t.loss))
}

// hingeLoss returns the loss that such a fit goes on to.
func (t *task) hingeLoss() loss.Scalar {
	if t.options.lossOpen {
		return loss.SquaredHinge{}
	}
	return t.loss.(loss.Scalar)
}

// minimise sets the loss.
func (t *task) minimise(l loss.Scalar) {
	k := *t.risk
	k.Scalar = l
	t.loss, t.risk = l, &k
}

// hinge goes on under l, the squared hinge or one like it, as long as that lowers the
// number of wrong labels on rows held out, and returns to the squared loss where it was
// not asked for and gained no more than chance would. A squared hinge that was asked for
// has one pass at least, or as many as the options say.
func (w *run) hinge(l loss.Scalar) {
	was, before := w.solver.mistakes(), w.solver.snapshot()
	w.under(l)
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
		w.under(loss.Squared{})
	}
	w.heldOut = w.solver.heldOut()
}

// under continues under another loss.
func (w *run) under(l loss.Scalar) {
	w.minimise(l)
	k := *w.solver.risk
	k.Scalar = l
	w.solver.risk, w.history = &k, newHistory(w.solver)
}

// mistakes says which of the rows held out have wrong labels.
func (v *revisit) mistakes() []bool {
	wrong := make([]bool, v.risk.Count()-v.train)
	held, f := v.risk.Part(v.train, v.risk.Count()), compute.Rows(v.f, v.train, v.risk.Count())
	for i := range wrong {
		wrong[i] = !(held.Margin(compute.Row(f, i), i) > 0)
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
