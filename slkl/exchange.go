package slkl

import (
	"math"
	"slices"
)

// exchangePatience is how many exchanges in a row may fail to bring the number
// of violated conditions to a new minimum.
const exchangePatience = 3

// exchange solves the lasso by block principal pivoting: given the columns in
// play and their signs, their weights solve P_AA w_A = b_A − tau·s; then every
// column whose weight has the wrong sign leaves, and every other whose
// correlation exceeds tau enters, all at once. When no condition is violated the
// weights are the solution, up to rounding.
//
// It starts from the signs of w. Where P is far from diagonal the exchanges may
// wander; it then gives up, leaves w alone and reports false. Each of its steps
// costs O(|A|³ + M·|A|), or O(|Z|³ + M²) for |Z| columns out of play if they are
// fewer and P is well conditioned.
func (l *lasso) exchange(workers int, steps *int, more func() bool) bool {
	start := slices.Clone(l.w)
	l.refresh()
	before, noise := l.objective()
	sign := make([]float64, len(l.w))
	for m, v := range l.w {
		if v != 0 {
			sign[m] = math.Copysign(1, v)
		}
	}
	for fewest, left := len(l.w)+1, exchangePatience; left > 0 && more(); {
		*steps++
		violated, ok := l.pivot(sign, workers)
		if !ok {
			break
		}
		switch {
		case violated == 0 && l.atMost(before, noise):
			return true
		case violated < fewest:
			fewest, left = violated, exchangePatience
		default:
			left--
		}
	}
	copy(l.w, start)
	return false
}

// atMost reports whether the objective is no higher than before, and known as
// well as it was.
func (l *lasso) atMost(before, noise float64) bool {
	value, now := l.objective()
	return value <= before+noise && now <= before+noise
}

// pivot sets w to the solution for the given signs, exchanges the columns whose
// conditions it violates, and returns their number. It reports false if P_AA is
// singular to working precision.
func (l *lasso) pivot(sign []float64, workers int) (violated int, ok bool) {
	var active []int
	for m, s := range sign {
		if s != 0 {
			active = append(active, m)
		}
	}
	if 2*len(active) > len(sign) {
		if s := l.solveWhole(sign, workers); s != nil {
			if violated = l.swap(sign); violated == 0 {
				s.correct(workers)
				violated = l.swap(sign)
			}
			return violated, true
		}
	}
	x := make([]float64, len(active))
	for i, m := range active {
		x[i] = l.b[m] - l.tau*sign[m]
	}
	if !l.solveActive(active, x, 0, workers) {
		return 0, false
	}
	clear(l.w)
	for i, m := range active {
		l.w[m] = x[i]
	}
	l.refresh()
	return l.swap(sign), true
}

// swap exchanges the columns whose conditions are violated and returns their
// number.
func (l *lasso) swap(sign []float64) int {
	violated := 0
	for m, s := range sign {
		switch {
		case s != 0 && l.w[m]*s <= 0:
			sign[m] = 0
			violated++
		case s == 0 && math.Abs(l.g[m]) > l.tau*(1+1e-10):
			sign[m] = math.Copysign(1, l.g[m])
			violated++
		}
	}
	return violated
}
