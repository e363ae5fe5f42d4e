package svm

import "math"

// variables are the dual variables with what the optimality conditions need:
// with the residual e_i = t_i − Σ_j k(x_i, x_j)·β_j, the derivative of the dual, a
// solution has max e over the variables that can rise ≤ min e over those that can
// fall.
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

func (v variables) up(i int) bool   { return v.beta[i] < v.hi[i] }
func (v variables) down(i int) bool { return v.beta[i] > v.lo[i] }

// copyFrom copies variable j of w to i.
func (v variables) copyFrom(i int, w variables, j int) {
	v.beta[i], v.e[i], v.lo[i], v.hi[i], v.diag[i] = w.beta[j], w.e[j], w.lo[j], w.hi[j], w.diag[j]
}

// extremes returns the largest residual of the given variables that can rise and
// the smallest of those that can fall.
func (v variables) extremes(of []int) (top, bottom float64) {
	top, bottom = math.Inf(-1), math.Inf(1)
	for _, i := range of {
		if v.up(i) {
			top = max(top, v.e[i])
		}
		if v.down(i) {
			bottom = min(bottom, v.e[i])
		}
	}
	return top, bottom
}

// setBounds sets the bounds of C_i = c·weights_i and moves beta inside, in a way
// that leaves its sum zero where that is what it has to be.
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

// rescale multiplies the bounds of a variable by ratio and the variable by r,
// where r ≤ ratio. At its bound it stays if r is ratio.
func (v variables) rescale(i int, ratio, r float64) {
	atLo, atHi := !v.down(i), !v.up(i)
	v.lo[i] *= ratio
	v.hi[i] *= ratio
	v.beta[i] = min(max(r*v.beta[i], v.lo[i]), v.hi[i])
	if r == ratio && atLo {
		v.beta[i] = v.lo[i]
	} else if r == ratio && atHi {
		v.beta[i] = v.hi[i]
	}
}

// balance scales down the positive or the negative ones of beta until they
// cancel, but for rounding.
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
