package doublysgd

import (
	"cmp"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// The squared loss of targets ±1 punishes scores that are right by more than one,
// the squared hinge does not, and makes fewer errors where classes can be told
// apart. Its curvature is the same: bandwidth, ridge and features are found by the
// squared loss, which takes one step a block, and a few sweeps over the same normal
// equations lead from its minimum towards that of the hinge.

// choosesLoss reports whether a fit ends with the squared hinge, or may.
func (j *job) choosesLoss() bool {
	return j.classes > 0 && j.Tolerance == 0 && (j.lossOpen || likeSquared(j.Loss))
}

// hingeLoss returns the loss that such a fit goes on to.
func (j *job) hingeLoss() loss.Scalar {
	if j.lossOpen {
		return loss.SquaredHinge{}
	}
	return j.Loss.(loss.Scalar)
}

// minimise sets the loss.
func (j *job) minimise(l loss.Scalar) {
	k := *j.risk
	k.scalar = l
	j.Loss, j.risk = l, &k
}

// hinge sweeps under l, the squared hinge or one like it, as long as that lowers the number of wrong
// labels on rows held out, and returns to the squared loss where it was not asked
// for and gained no more than chance would. A squared hinge that was asked for has one
// sweep at least, or as many as the options say.
func (w *run) hinge(l loss.Scalar) {
	was, before := w.v.mistakes(), w.v.snapshot()
	w.under(l)
	best, last := was, before
	for pass := range cmp.Or(w.Passes, mostSweeps) {
		w.sweep()
		now, asked := w.v.mistakes(), !w.lossOpen && (pass == 0 || w.Passes > 0)
		if w.r.Stopped() || count(now) >= count(best) && !asked {
			break
		}
		best, last = now, w.v.snapshot()
	}
	w.v.restore(last)
	if gain := count(was) - count(best); w.lossOpen && gain*gain <= differences(was, best) {
		w.v.restore(before)
		w.under(loss.Squared{})
	}
	w.heldOut = w.v.heldOut()
}

// under continues under another loss.
func (w *run) under(l loss.Scalar) {
	w.minimise(l)
	k := *w.v.k
	k.scalar = l
	w.v.k, w.h = &k, newHistory(w.v)
}

// mistakes says which of the rows held out have wrong labels.
func (v *revisit) mistakes() []bool {
	wrong := make([]bool, v.k.count()-v.train)
	held, f := v.k.rows(v.train, v.k.count()), compute.Rows(v.f, v.train, v.k.count())
	for i := range wrong {
		wrong[i] = !(held.margin(row(f, i), i) > 0)
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
