package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// pivotPatience is the number of consecutive exchanges that may fail to reduce the number of
// violated conditions.
const pivotPatience = 3

// blockPivoting solves the Lasso of one output by block principal pivoting. Given the active
// columns A and their signs, their weights solve P_AA w_A = b_A − tau·s. Then all columns with a
// weight of the wrong sign leave, and inactive columns with a correlation above tau enter. When no
// condition is violated, the weights are the solution up to rounding.
type blockPivoting struct {
	*iterate
	sign []float64 // M, 0 for inactive columns

	inverse compute.Matrix // P⁻¹
	out     []int          // Z
	u       compute.Matrix // UᵀU = (P⁻¹)_ZZ
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

// solve exchanges columns until no condition is violated. If P is far from diagonal, the
// exchanges may cycle. Then solve restores w, with a ridge to the iterate with the smallest gap,
// and reports false. A step costs O(|A|³ + M·|A|), or O(|Z|³ + M²) for fewer inactive columns Z
// and a well-conditioned P.
func (b *blockPivoting) solve(r *run) bool {
	best := slices.Clone(b.w)
	b.refresh()
	before, noise := b.objective()
	c := b.certificate()
	if b.sums.ridge > 0 && (c.Meets(r.tolerance) || b.settled()) {
		return true
	}
	gap := c.Gap
	for fewest, left := len(b.w)+1, pivotPatience; left > 0 && r.goesOn(); {
		r.result.Solves++
		violated, ok := b.step(r.monitor)
		if !ok {
			break
		}
		if b.sums.ridge > 0 { // rounding can violate conditions at a sufficient gap
			c := b.certificate()
			if c.Meets(r.tolerance) {
				return true
			}
			if c.Gap < gap {
				gap = c.Gap
				copy(best, b.w)
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
	copy(b.w, best)
	return false
}

// step sets w to the solution for the current signs, exchanges the columns with violated
// conditions, and returns their number. It reports false if P_AA is singular to working precision.
func (b *blockPivoting) step(r *progress.Monitor) (violated int, ok bool) {
	var active []int
	b.out = b.out[:0]
	for m, s := range b.sign {
		if s != 0 {
			active = append(active, m)
		} else {
			b.out = append(b.out, m)
		}
	}
	if len(active) > len(b.out) && b.solveComplement(r) {
		if violated = b.exchange(); violated == 0 {
			b.correct()
			violated = b.exchange()
		}
		return violated, true
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

// exchange moves columns with violated conditions in or out and returns their number.
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

const (
	// complementError bounds the residual of a solution by the complement, relative to tau.
	complementError = 1e-4
	// activeError is the bound if all columns are active: for a small tau, no factorisation is more
	// accurate.
	activeError = 1e-2
)

// solveComplement sets w to the solution for the current signs and updates g. It uses the inverse of
// P, which all outputs and all nu share. With the inactive columns Z,
//
//	P_AA⁻¹r = (P⁻¹r)_A − (P⁻¹)_AZ·((P⁻¹)_ZZ)⁻¹·(P⁻¹r)_Z
//
// for r that is zero on Z. The condition of P limits the accuracy; each correction with the residual
// adds as many digits again. It reports false if the result is too inaccurate. O(M² + |Z|³).
func (b *blockPivoting) solveComplement(r *progress.Monitor) bool {
	b.inverse = b.sums.inverse.get(b.p, r)
	if b.inverse.Rows == 0 {
		return false
	}
	b.u = b.submatrix(b.inverse, b.out, 0)
	if !compute.Cholesky(b.u, b.Workers) {
		return false
	}
	clear(b.w)
	copy(b.g, b.b)
	corrections := 1
	if b.sums.ridge > 0 { // each adds digits; without a ridge the inverse may be inaccurate
		corrections = 5
	}
	for range corrections {
		b.correct()
		if b.residual() <= complementError*b.tau {
			return true
		}
	}
	return b.sums.ridge > 0 && len(b.out) == 0 && b.residual() <= activeError*b.tau
}

// correct adds the solution for the residual in g to w and updates g.
func (b *blockPivoting) correct() {
	r := make([]float64, len(b.w))
	for m, s := range b.sign {
		if s != 0 {
			r[m] = b.g[m] - b.tau*s
		}
	}
	blas64.Gemv(blas.NoTrans, 1, b.inverse, compute.Vector(r), 1, compute.Vector(b.w))
	z := compute.PickOf(b.w, b.out)
	solve(b.u, compute.ColumnOf(z), b.Workers)
	for i, m := range b.out {
		blas64.Axpy(-z[i], compute.RowVector(b.inverse, m), compute.Vector(b.w))
	}
	for _, m := range b.out {
		b.w[m] = 0
	}
	b.refresh()
}

// residual returns the largest |g − tau·s| of the active columns.
func (b *blockPivoting) residual() float64 {
	worst := 0.0
	for m, s := range b.sign {
		if s != 0 {
			worst = max(worst, math.Abs(b.g[m]-b.tau*s))
		}
	}
	return worst
}
