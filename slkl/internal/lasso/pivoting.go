package lasso

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/monitor"
)

// pivotPatience is how many exchanges in a row may fail to bring the number of
// violated conditions to a new minimum.
const pivotPatience = 3

// blockPivoting solves the Lasso of one output by block principal pivoting: given
// the active columns A and their signs, their weights solve P_AA w_A = b_A − tau·s;
// then every column whose weight has the wrong sign leaves, and every other whose
// correlation exceeds tau enters, all at once. When no condition is violated the
// weights are the solution, up to rounding.
type blockPivoting struct {
	*iterate
	sign []float64 // M, 0 for inactive columns
}

// newBlockPivoting starts from the signs of w.
func newBlockPivoting(l *iterate) *blockPivoting {
	b := &blockPivoting{iterate: l, sign: make([]float64, len(l.w))}
	for m, v := range l.w {
		if v != 0 {
			b.sign[m] = math.Copysign(1, v)
		}
	}
	return b
}

// solve exchanges columns until no condition is violated. Where P is far from
// diagonal the exchanges may wander; it then gives up, leaves w as it was, or with a ridge
// as it was at the least gap, and reports false. Each of its steps costs O(|A|³ + M·|A|), or O(|Z|³ + M²) for |Z|
// inactive columns if they are fewer and P is well conditioned.
func (b *blockPivoting) solve(r *run) bool {
	start := slices.Clone(b.w)
	b.refresh()
	before, noise := b.objective()
	c := b.certify()
	if b.ridge > 0 && (c.Meets(r.tolerance) || b.settled()) {
		return true
	}
	gap := c.Gap
	for fewest, left := len(b.w)+1, pivotPatience; left > 0 && r.goesOn(); {
		r.result.Solves++
		violated, ok := b.step(r.monitor)
		if !ok {
			break
		}
		if b.ridge > 0 { // rounding alone may violate conditions that are met as well as asked for
			c := b.certify()
			if c.Meets(r.tolerance) {
				return true
			}
			if c.Gap < gap {
				gap = c.Gap
				copy(start, b.w)
			}
		}
		switch {
		case violated == 0 && b.atMost(before, noise):
			return true
		case violated < fewest:
			fewest, left = violated, pivotPatience
		default:
			left--
		}
	}
	copy(b.w, start)
	return false
}

// step sets w to the solution for the signs at hand, exchanges the columns whose
// conditions it violates, and returns their number. It reports false if P_AA is
// singular to working precision.
func (b *blockPivoting) step(r *monitor.Monitor) (violated int, ok bool) {
	active := b.active()
	if 2*len(active) > len(b.sign) {
		if s := b.solveByComplement(b.sign, r); s != nil {
			if violated = b.exchange(); violated == 0 {
				s.correct()
				violated = b.exchange()
			}
			return violated, true
		}
	}
	x := make([]float64, len(active))
	for i, m := range active {
		x[i] = b.b[m] - b.tau*b.sign[m]
	}
	if !b.solveActive(active, x, 0) {
		return 0, false
	}
	clear(b.w)
	for i, m := range active {
		b.w[m] = x[i]
	}
	b.refresh()
	return b.exchange(), true
}

// active lists the active columns.
func (b *blockPivoting) active() []int {
	var list []int
	for m, s := range b.sign {
		if s != 0 {
			list = append(list, m)
		}
	}
	return list
}

// exchange lets columns whose conditions are violated enter or leave, and returns
// their number.
func (b *blockPivoting) exchange() int {
	violated := 0
	for m, s := range b.sign {
		switch {
		case s != 0 && b.w[m]*s <= 0:
			b.sign[m] = 0
			violated++
		case s == 0 && math.Abs(b.g[m]) > b.tau*(1+1e-10):
			b.sign[m] = math.Copysign(1, b.g[m])
			violated++
		}
	}
	return violated
}
