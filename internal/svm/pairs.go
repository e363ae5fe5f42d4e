package svm

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// smallCurvature replaces a second derivative that is not positive, as of a pair of equal rows.
const smallCurvature = 1e-12

// pairs solves a small problem by steps on pairs of variables.
type pairs struct {
	variables
	k compute.Matrix // Gram matrix
}

func newPairs(n int) *pairs { return &pairs{newVariables(n), compute.NewMatrix(n, n)} }

// first returns the problem of the first n variables. It shares their memory.
func (p *pairs) first(n int) *pairs {
	v := p.variables
	k := compute.Matrix{Rows: n, Cols: n, Stride: p.k.Stride, Data: p.k.Data}
	return &pairs{variables{v.beta[:n], v.e[:n], v.lo[:n], v.hi[:n], v.diag[:n]}, k}
}

// solve runs at most limit steps and returns their number. It stops when the violation is at
// most the tolerance or rounding prevents progress.
func (p *pairs) solve(tolerance float64, limit int) (steps int) {
	for ; steps < limit; steps++ {
		i, top := p.highest()
		if i < 0 {
			return steps
		}
		j, bottom := p.partner(i)
		if j < 0 || top-bottom <= tolerance || !p.step(i, j) {
			return steps
		}
	}
	return steps
}

// highest returns the variable that can rise with the largest residual.
func (p *pairs) highest() (i int, top float64) {
	i, top = -1, math.Inf(-1)
	beta, hi := p.beta, p.hi[:len(p.beta)]
	for t, e := range p.e[:len(beta)] {
		if e > top && beta[t] < hi[t] {
			i, top = t, e
		}
	}
	return i, top
}

// partner returns the variable j that can fall and has the largest gain of an unbounded step with
// i, (e_i − e_j)²/(k_ii + k_jj − 2k_ij) (WSS 2). It also returns the smallest residual of the
// variables that can fall.
func (p *pairs) partner(i int) (j int, bottom float64) {
	j, bottom = -1, math.Inf(1)
	n := len(p.beta)
	row, e, lo, diag := compute.Row(p.k, i)[:n], p.e[:n], p.lo[:n], p.diag[:n]
	ei, kii := e[i], diag[i]
	// The best gain is gain/curvature. Comparing products avoids divisions.
	gain, curvature := 0.0, 1.0
	for t, b := range p.beta {
		if b <= lo[t] {
			continue
		}
		bottom = min(bottom, e[t])
		d := ei - e[t]
		if d <= 0 {
			continue
		}
		a := kii + diag[t] - 2*row[t]
		if a <= 0 {
			a = smallCurvature
		}
		if d*d*curvature > gain*a {
			j, gain, curvature = t, d*d, a
		}
	}
	return j, bottom
}

// step maximises the dual along β_i + t, β_j − t and reports whether it changed β.
func (p *pairs) step(i, j int) bool {
	a := p.diag[i] + p.diag[j] - 2*compute.Row(p.k, i)[j]
	if a <= 0 {
		a = smallCurvature
	}
	rise, fall := p.hi[i]-p.beta[i], p.beta[j]-p.lo[j]
	t := min((p.e[i]-p.e[j])/a, rise, fall)
	bi, bj := p.beta[i], p.beta[j]
	p.beta[i] += t
	p.beta[j] -= t
	// A variable is at a bound if they are equal, so avoid rounding.
	if t == rise {
		p.beta[i] = p.hi[i]
	}
	if t == fall {
		p.beta[j] = p.lo[j]
	}
	ki, kj, e := compute.Row(p.k, i), compute.Row(p.k, j), p.e
	ki, kj = ki[:len(e)], kj[:len(e)]
	for s := range e {
		e[s] -= t * (ki[s] - kj[s])
	}
	return p.beta[i] != bi || p.beta[j] != bj
}
