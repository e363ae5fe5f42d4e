package svm

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// smallCurvature stands for the second derivative along a pair of points that
// the kernel does not tell apart.
const smallCurvature = 1e-12

// pairs solves a dense problem by steps on pairs of variables: k is its Gram
// matrix.
type pairs struct {
	variables
	k blas64.General
}

func newPairs(n int) *pairs { return &pairs{newVariables(n), compute.NewMatrix(n, n)} }

// first returns the problem of the first n variables; it shares their space.
func (p *pairs) first(n int) *pairs {
	v := p.variables
	k := blas64.General{Rows: n, Cols: n, Stride: p.k.Stride, Data: p.k.Data}
	return &pairs{variables{v.beta[:n], v.e[:n], v.lo[:n], v.hi[:n], v.diag[:n]}, k}
}

// solve takes at most limit steps, until the violation is no more than the
// tolerance or rounding leaves no progress, and returns their number.
func (p *pairs) solve(tolerance float64, limit int) (steps int) {
	for ; steps < limit; steps++ {
		i, top := p.highest()
		if i < 0 {
			return steps
		}
		j, bottom := p.partner(i)
		if j < 0 || top-bottom <= tolerance {
			return steps
		}
		if !p.step(i, j) {
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

// partner returns the variable that can fall with which i gains most by a step
// without bounds, (e_i − e_j)²/(k_ii + k_jj − 2k_ij) (WSS 2), and the smallest
// residual of those that can fall.
func (p *pairs) partner(i int) (j int, bottom float64) {
	j, bottom = -1, math.Inf(1)
	n := len(p.beta)
	row, e, lo, diag := compute.Row(p.k, i)[:n], p.e[:n], p.lo[:n], p.diag[:n]
	ei, kii := e[i], diag[i]
	// The best gain is gain/curvature; to compare by products saves divisions.
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

// step maximises the dual along β_i + t, β_j − t and reports whether that made a
// difference.
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
	// Variables at a bound are told by equality.
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
