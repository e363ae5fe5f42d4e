package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// solve minimises F for nu, from the solution at hand if there is one.
func (t *task) solve(nu, tol float64, r *monitor.Monitor) Report {
	rep := Report{Nu: nu, Lambda: 1, NuMax: t.nuMax()}
	switch {
	case !(nu < rep.NuMax):
		clear(t.mu)
		clear(t.w.Data)
		rep.Status = r.Status() // not all rows may be in
		rep.take(certificate{objective: t.yy})
	case t.s.Epsilon > 0:
		t.solveDescent(nu, &rep, r)
	case t.w.Cols == 1:
		t.solveLasso(nu, tol, &rep, r)
	default:
		t.solveGroup(nu, tol, &rep, r)
	}
	for _, v := range t.mu {
		if v > 0 {
			rep.ModelOrder++
		}
	}
	r.Report(rkhs.Progress{Iteration: rep.Steps + rep.Solves, ModelOrder: rep.ModelOrder, Objective: rep.Objective, Gap: rep.Gap})
	return rep
}

// solveDescent is the paper's algorithm alone.
func (t *task) solveDescent(nu float64, rep *Report, r *monitor.Monitor) {
	clear(t.mu)
	d := newDescent(t, nu)
	rep.Status = d.run(rep, r)
	t.factor().weights(t.w)
	rep.take(t.certify(math.Sqrt(nu)))
}

// cold reports whether there is no solution to start from.
func (t *task) cold() bool {
	for _, v := range t.mu {
		if v > 0 {
			return false
		}
	}
	return true
}

// approach makes so many visits of the descent d and leaves mu and w.
func (t *task) approach(d *descent, visits int, rep *Report, r *monitor.Monitor) {
	for range visits {
		if !t.more(rep, r) || !d.visit(rep, r) {
			break
		}
	}
	t.factor().weights(t.w)
}

// more reports whether the solver may go on.
func (t *task) more(rep *Report, r *monitor.Monitor) bool {
	return rep.Steps+rep.Solves < t.s.limit(len(t.mu)) && !r.Stopped()
}

// solveLasso takes a single output to the tolerance. An eighth of a sweep of
// the descent, a few milliseconds, finds a set of columns from which block
// exchanges mostly reach the optimum in about ten factorisations. Where the
// columns are too alike for that, the descent goes on and leaves less to the
// active-set steps, which always arrive.
func (t *task) solveLasso(nu, tol float64, rep *Report, r *monitor.Monitor) {
	m := len(t.mu)
	tau := math.Sqrt(nu)
	l := &lasso{p: t.p, b: t.cy.Data, yy: t.yy, tau: tau, w: t.w.Data, g: make([]float64, m), inverse: t.inverse}
	var d *descent
	if t.cold() {
		d = newDescent(t, nu)
		t.approach(d, max(m/8, 1), rep, r)
	}
	more := func() bool { return t.more(rep, r) }
	if !l.exchange(t.workers, &rep.Solves, more) && d != nil {
		t.approach(d, m/2-m/8, rep, r)
	}
	a := newActiveSet(l, t.workers)
	c, ok := a.run(tol, func(c certificate) bool {
		r.Report(c.progress(rep.Steps+rep.Solves, len(a.active)))
		return more()
	}, &rep.Solves)
	for j, v := range t.w.Data {
		t.mu[j] = math.Abs(v) / tau
	}
	rep.take(c)
	rep.Status = outcome(r, ok, !more())
}

// solveGroup takes several outputs that share their mu to the tolerance.
func (t *task) solveGroup(nu, tol float64, rep *Report, r *monitor.Monitor) {
	if t.cold() {
		t.approach(newDescent(t, nu), max(len(t.mu)/2, 1), rep, r)
	}
	t.finishGroup(nu, tol, rep, r)
}
