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
// costs O(|A|³ + M·|A|).
func (l *lasso) exchange(workers int, steps *int, more func() bool) bool {
	start := slices.Clone(l.w)
	sign := make([]float64, len(l.w))
	for m, v := range l.w {
		if v != 0 {
			sign[m] = math.Copysign(1, v)
		}
	}
	for fewest, left := len(l.w)+1, exchangePatience; left > 0 && more(); {
		*steps++
		if !l.solveSigns(sign, workers) {
			break
		}
		l.refresh()
		violated := l.swap(sign)
		switch {
		case violated == 0:
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

// solveSigns sets w to the solution for the given signs, 0 for a column that is
// out of play.
func (l *lasso) solveSigns(sign []float64, workers int) bool {
	var active []int
	var x []float64
	for m, s := range sign {
		if s != 0 {
			active = append(active, m)
			x = append(x, l.b[m]-l.tau*s)
		}
	}
	if !l.solveActive(active, x, 0, workers) {
		return false
	}
	clear(l.w)
	for i, m := range active {
		l.w[m] = x[i]
	}
	return true
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
