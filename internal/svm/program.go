package svm

import (
	"math"
	"slices"
)

// program is the problem to maximise
//
//	Σ_i t_i·β_i − ½·Σ_ij β_i·β_j·k(x_i, x_j)
//
// over variables β between bounds, with a given sum. Variable i belongs to row i/copies.
type program struct {
	linear []float64 // t
	side   []float64 // 1 for 0 ≤ β_i ≤ C_i, −1 for −C_i ≤ β_i ≤ 0
	copies int       // number of variables of each row
	sum    float64   // of β
}

// margins is the problem of labels ±1.
func margins(y []float64) program { return program{linear: y, side: y, copies: 1} }

// tube is the problem of regression with losses max(0, |y − f − b| − epsilon). Each row has a
// variable for errors above the tube and one for errors below.
func tube(y []float64, epsilon float64) program {
	p := program{copies: 2}
	for _, v := range y {
		p.linear = append(p.linear, v-epsilon, v+epsilon)
		p.side = append(p.side, 1, -1)
	}
	return p
}

// support is the problem of one class of n rows.
func support(n int) program {
	return program{linear: make([]float64, n), side: slices.Repeat([]float64{1}, n), copies: 1, sum: 1}
}

// row returns the row of a variable.
func (p program) row(i int) int { return i / p.copies }

// rowsOf returns the rows of variables, both ascending.
func (p program) rowsOf(list []int) []int {
	rows := make([]int, len(list))
	for t, i := range list {
		rows[t] = p.row(i)
	}
	return slices.Compact(rows)
}

// variables are the dual variables β and their residuals e_i = t_i − Σ_j k(x_i, x_j)·β_j, the
// derivatives of the dual. A solution has max e over the variables that can rise ≤ min e over
// the variables that can fall.
type variables struct {
	beta, e []float64
	lo, hi  []float64 // bounds of beta
	diag    []float64 // k(x_i, x_i)
}

func newVariables(n int) variables {
	m := make([]float64, 5*n)
	part := func(i int) []float64 { return m[i*n : (i+1)*n : (i+1)*n] }
	return variables{part(0), part(1), part(2), part(3), part(4)}
}

// up reports whether a variable can rise.
func (v variables) up(i int) bool { return v.beta[i] < v.hi[i] }

// down reports whether a variable can fall.
func (v variables) down(i int) bool { return v.beta[i] > v.lo[i] }

// copyFrom copies variable j of w to i.
func (v variables) copyFrom(i int, w variables, j int) {
	v.beta[i], v.e[i], v.lo[i], v.hi[i], v.diag[i] = w.beta[j], w.e[j], w.lo[j], w.hi[j], w.diag[j]
}

// extremes returns the largest residual of the listed variables that can rise, and the smallest
// of the listed variables that can fall.
func (v variables) extremes(list []int) (top, bottom float64) {
	top, bottom = math.Inf(-1), math.Inf(1)
	for _, i := range list {
		if v.up(i) {
			top = max(top, v.e[i])
		}
		if v.down(i) {
			bottom = min(bottom, v.e[i])
		}
	}
	return top, bottom
}

// setBounds sets the bounds for C_i = c·weights_i and moves beta inside them. It keeps a sum of
// zero.
func (v variables) setBounds(p program, c float64, weights []float64) {
	for i, side := range p.side {
		ci := c
		if weights != nil {
			ci *= weights[p.row(i)]
		}
		v.lo[i], v.hi[i] = min(0, side*ci), max(0, side*ci)
		v.beta[i] = min(max(v.beta[i], v.lo[i]), v.hi[i])
	}
	if p.sum == 0 {
		v.balance()
	}
}

// rescale multiplies the bounds of a variable by ratio and the variable by r ≤ ratio.
func (v variables) rescale(i int, ratio, r float64) {
	v.lo[i] *= ratio
	v.hi[i] *= ratio
	v.beta[i] = min(max(r*v.beta[i], v.lo[i]), v.hi[i])
}

// balance scales the positive or the negative beta down until all sum to zero, up to rounding.
func (v variables) balance() {
	var plus, minus float64
	for _, b := range v.beta {
		plus += max(b, 0)
		minus -= min(b, 0)
	}
	if math.Abs(plus-minus) <= 1e-12*plus {
		return
	}
	scale := min(plus, minus) / max(plus, minus)
	for i, b := range v.beta {
		if (b > 0) == (plus > minus) {
			v.beta[i] = b * scale
		}
	}
}
