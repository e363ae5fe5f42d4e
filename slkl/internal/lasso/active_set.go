package lasso

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// activeSet solves the Lasso of one output by its optimality conditions. With the active columns A
// and their signs s, a step solves P_AA d = g_A − tau·s and minimises the objective exactly along d.
// The objective is piecewise quadratic, with a kink where a weight changes its sign. The step
// removes the column of a weight that ends on its kink from A. When A needs no further step, the
// columns that violate their condition most enter. Every step lowers the objective.
type activeSet struct {
	*iterate
	active []int
	sign   []float64 // of the active columns
	d      []float64 // direction of the active columns
	pd     []float64 // M, P·d
	gain   float64   // decrease of the objective since the last columns entered
	lowest float64   // lowest objective of all steps
	idle   int       // consecutive steps that lowered the objective only by rounding
}

// maxIdle is the number of idle steps after which the method stops.
const maxIdle = 50

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

// solve steps until the duality gap meets the tolerance of the run. It reports false if the run
// ends before, or if no column can enter and no step lowers the objective significantly.
func (a *activeSet) solve(r *run) bool {
	a.refresh()
	r.result.Certificate = a.certificate()
	a.lowest, _ = a.objective()
	for !r.result.Meets(r.tolerance) && a.idle < maxIdle {
		if r.report(len(a.active)); !r.goesOn() {
			break
		}
		r.result.Solves++
		if !a.step() {
			continue
		}
		if r.result.Certificate = a.certificate(); !r.result.Meets(r.tolerance) && !a.admit() {
			return false
		}
	}
	r.result.Certificate = a.certificate()
	return r.result.Meets(r.tolerance)
}

// step updates w and reports whether it solved the conditions on A. Where P_AA is singular to
// working precision, step raises its diagonal until the recomputed objective does not rise: any
// such d is a descent direction up to rounding.
func (a *activeSet) step() bool {
	a.idle++
	if len(a.active) == 0 {
		return true
	}
	before, noise := a.objective()
	w, g, active, sign := slices.Clone(a.w), slices.Clone(a.g), slices.Clone(a.active), slices.Clone(a.sign)
	solved := false
	if !raising(func(shift float64) bool {
		if !a.direction(shift) {
			return false
		}
		solved = a.move(a.length())
		a.refresh()
		if a.atMost(before, noise) {
			a.count(before)
			return true
		}
		copy(a.w, w)
		copy(a.g, g)
		a.active, a.sign = append(a.active[:0], active...), append(a.sign[:0], sign...)
		return false
	}) {
		a.idle = maxIdle
	}
	return solved
}

// count records the gain of a step. Only a new lowest objective counts as progress.
func (a *activeSet) count(before float64) {
	after, _ := a.objective()
	a.gain += before - after
	if after < a.lowest-1e-14*a.yy {
		a.lowest, a.idle = after, 0
	}
}

// direction solves P_AA d = g_A − tau·s, the diagonal raised by the fraction shift, and reports
// whether P_AA is then positive definite.
func (a *activeSet) direction(shift float64) bool {
	a.d = a.d[:0]
	for i, m := range a.active {
		a.d = append(a.d, a.g[m]-a.tau*a.sign[i])
	}
	return a.solveActive(a.active, a.d, shift)
}

// length returns the minimiser t ≥ 0 of the objective along d. Half its derivative at t is
// slope + curvature·t plus the jumps at the kinks before t.
func (a *activeSet) length() float64 {
	clear(a.pd)
	for i, m := range a.active {
		blas64.Axpy(a.d[i], compute.RowVector(a.p, m), compute.Vector(a.pd))
	}
	var slope, curvature float64
	for i, m := range a.active {
		slope -= a.d[i] * (a.g[m] - a.tau*a.sign[i])
		curvature += a.d[i] * a.pd[m]
	}
	for _, k := range a.kinks() {
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

// kink is a point along d where half the derivative of the objective jumps.
type kink struct{ at, jump float64 }

// kinks lists the kinks ahead in ascending order.
func (a *activeSet) kinks() []kink {
	var list []kink
	for i, m := range a.active {
		if at := a.kinkAt(i, m); at >= 0 && !math.IsInf(at, 0) {
			list = append(list, kink{at, 2 * a.tau * math.Abs(a.d[i])})
		}
	}
	slices.SortFunc(list, func(i, j kink) int { return cmp.Compare(i.at, j.at) })
	return list
}

// kinkAt returns where along d the i-th active weight, of column m, changes its sign; it is
// negative or NaN if there is no such point ahead. A weight that is still zero has its kink at 0 if
// d opposes its sign.
func (a *activeSet) kinkAt(i, m int) float64 {
	if a.w[m] != 0 {
		return -a.w[m] / a.d[i]
	}
	if a.d[i]*a.sign[i] < 0 {
		return 0
	}
	return -1
}

// move updates w to w + t·d and reports whether all weights keep their sign.
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

// admit adds columns with |g_m| > tau to A, the largest first, and reports whether there are any.
// It adds at most a quarter of the number of active columns, and only one if the previous columns
// had no effect.
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
