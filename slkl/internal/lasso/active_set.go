package lasso

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// activeSet solves the Lasso of one output to its optimality conditions. With A the
// active columns and s their signs, a step solves P_AA d = g_A − tau·s and goes along d to
// the exact minimum of the objective, which is piecewise quadratic with a kink
// wherever a weight changes its sign; a weight that ends on its kink leaves A.
// When A needs no further step, the columns that violate their condition most
// enter. Every step lowers the objective.
type activeSet struct {
	*iterate
	active []int
	sign   []float64 // one for each member of active
	d      []float64 // direction, one for each member of active
	pd     []float64 // M, P·d
	kinks  []kink
	gain   float64 // decrease of the objective since the last columns entered
	least  float64 // the lowest objective of all steps
	idle   int     // steps in a row that did not lower it by more than rounding
	saved  state   // before the step
}

// maxIdle is the number of steps in a row that may fail to lower the objective
// before rounding is taken to leave no progress.
const maxIdle = 50

// kink is a point along a direction at which the derivative jumps.
type kink struct{ at, jump float64 }

func newActiveSet(l *iterate) *activeSet {
	a := &activeSet{iterate: l, pd: make([]float64, len(l.w))}
	for m, v := range l.w {
		if v != 0 {
			a.enter(m, v)
		}
	}
	return a
}

func (a *activeSet) enter(m int, sign float64) {
	a.active = append(a.active, m)
	a.sign = append(a.sign, math.Copysign(1, sign))
}

// solve steps until the duality gap is below the tolerance of the run, and counts
// its steps. It reports false if the run ends, or if rounding leaves no column to
// enter and no step that gains.
func (a *activeSet) solve(r *run) bool {
	a.refresh()
	r.result.Certificate = a.certify()
	a.least, _ = a.objective()
	for !r.result.Meets(r.tolerance) && a.idle < maxIdle && a.goesOn(r) {
		r.result.Solves++
		if !a.step() {
			continue
		}
		if r.result.Certificate = a.certify(); !r.result.Meets(r.tolerance) && !a.admit() {
			return false
		}
	}
	r.result.Certificate = a.certify()
	return r.result.Meets(r.tolerance)
}

func (a *activeSet) goesOn(r *run) bool {
	r.report(len(a.active))
	return r.goesOn()
}

// step takes one step, of which the objective, computed anew, tells that it does
// not rise. It reports whether the step solved the conditions on A. Where P_AA is
// singular to working precision its diagonal is raised until a step is found:
// with the exact search along d, any d so found is a descent but for rounding.
func (a *activeSet) step() bool {
	a.idle++
	if len(a.active) == 0 {
		return true
	}
	before, noise := a.objective()
	a.save()
	solved := false
	if !raising(func(shift float64) (ok bool) {
		if !a.direction(shift) {
			return false
		}
		solved = a.move(a.along())
		a.refresh()
		if a.atMost(before, noise) {
			a.account(before)
			return true
		}
		a.restore()
		return false
	}) {
		a.idle = maxIdle
	}
	return solved
}

// account notes what a step has gained. Steps that do not lower the objective
// below all before them do not count as progress.
func (a *activeSet) account(before float64) {
	after, _ := a.objective()
	a.gain += before - after
	if after < a.least-1e-14*a.yy {
		a.least, a.idle = after, 0
	}
}

// direction solves P_AA d = g_A − tau·s, the diagonal raised by the fraction
// shift, and reports whether P_AA is then positive definite.
func (a *activeSet) direction(shift float64) bool {
	a.d = a.d[:0]
	for i, m := range a.active {
		a.d = append(a.d, a.g[m]-a.tau*a.sign[i])
	}
	return a.solveActive(a.active, a.d, shift)
}

// along returns how far to go along d.
func (a *activeSet) along() float64 {
	clear(a.pd)
	for i, m := range a.active {
		blas64.Axpy(a.d[i], compute.RowVector(a.p, m), compute.Vector(a.pd))
	}
	var slope, curvature float64
	for i, m := range a.active {
		slope -= a.d[i] * (a.g[m] - a.tau*a.sign[i])
		curvature += a.d[i] * a.pd[m]
	}
	return a.search(slope, curvature)
}

// state is what a step changes.
type state struct {
	w, g, sign []float64
	active     []int
}

func (a *activeSet) save() {
	s := &a.saved
	s.w, s.g = append(s.w[:0], a.w...), append(s.g[:0], a.g...)
	s.active, s.sign = append(s.active[:0], a.active...), append(s.sign[:0], a.sign...)
}

func (a *activeSet) restore() {
	copy(a.w, a.saved.w)
	copy(a.g, a.saved.g)
	a.active, a.sign = append(a.active[:0], a.saved.active...), append(a.sign[:0], a.saved.sign...)
}

// search returns the minimiser t ≥ 0 of the objective along d, whose derivative
// (halved) at t is slope + curvature·t plus the jumps at the kinks before t.
func (a *activeSet) search(slope, curvature float64) float64 {
	a.kinks = a.kinks[:0]
	for i, m := range a.active {
		if at := a.kinkAt(i, m); at >= 0 && !math.IsInf(at, 0) {
			a.kinks = append(a.kinks, kink{at, 2 * a.tau * math.Abs(a.d[i])})
		}
	}
	slices.SortFunc(a.kinks, func(i, j kink) int { return cmp.Compare(i.at, j.at) })
	for _, k := range a.kinks {
		if slope+curvature*k.at >= 0 {
			break
		}
		slope += k.jump
		if slope+curvature*k.at >= 0 {
			return k.at
		}
	}
	if !(curvature > 0) {
		return 0
	}
	return max(0, -slope/curvature)
}

// kinkAt returns where along d the i-th active weight, column m, changes its
// sign, and a negative number or NaN if nowhere ahead. A weight that is still
// zero has its kink at 0 if d goes against its sign.
func (a *activeSet) kinkAt(i, m int) float64 {
	if a.w[m] != 0 {
		return -a.w[m] / a.d[i]
	}
	if a.d[i]*a.sign[i] < 0 {
		return 0
	}
	return -1
}

// move goes to w + t·d and reports whether all weights kept their sign.
func (a *activeSet) move(t float64) bool {
	unchanged := true
	kept := 0
	for i, m := range a.active {
		v := a.w[m] + t*a.d[i]
		if a.kinkAt(i, m) == t {
			v = 0
		}
		a.w[m] = v
		s := a.sign[i]
		if v != 0 {
			s = math.Copysign(1, v)
		}
		unchanged = unchanged && v != 0 && s == a.sign[i]
		if v != 0 || a.d[i]*s > 0 {
			a.active[kept], a.sign[kept] = m, s
			kept++
		}
	}
	a.active, a.sign = a.active[:kept], a.sign[:kept]
	return unchanged
}

// admit lets columns enter that violate |g_m| ≤ tau, the worst first, and
// reports whether there are any: about a quarter as many as are active, and only
// one if those that entered before all went against their signs.
func (a *activeSet) admit() bool {
	in := make([]bool, len(a.w))
	for _, m := range a.active {
		in[m] = true
	}
	var out []int
	for m, g := range a.g {
		if !in[m] && math.Abs(g) > a.tau {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return false
	}
	slices.SortFunc(out, func(i, j int) int { return cmp.Compare(math.Abs(a.g[j]), math.Abs(a.g[i])) })
	most := max(8, len(a.active)/4)
	if a.gain <= 1e-13*a.yy {
		most = 1
	}
	a.gain = 0
	worst := math.Abs(a.g[out[0]]) - a.tau
	for _, m := range out[:min(most, len(out))] {
		if math.Abs(a.g[m])-a.tau < worst/10 {
			break
		}
		a.enter(m, a.g[m])
	}
	return true
}
