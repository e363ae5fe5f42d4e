package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
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

// solve exchanges columns until no condition is violated. Where P is far from diagonal the
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
func (b *blockPivoting) step(r *monitor.Monitor) (violated int, ok bool) {
	active, inactive := b.split()
	if len(active) > len(inactive) {
		if s := b.complement(inactive, r); s != nil {
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

// split lists the active and the inactive columns.
func (b *blockPivoting) split() (active, inactive []int) {
	for m, s := range b.sign {
		if s != 0 {
			active = append(active, m)
		} else {
			inactive = append(inactive, m)
		}
	}
	return active, inactive
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

// complement solves for the signs with the inverse of P, which all outputs and all nu share. With
// the inactive columns Z,
//
//	P_AA⁻¹r = (P⁻¹r)_A − (P⁻¹)_AZ·((P⁻¹)_ZZ)⁻¹·(P⁻¹r)_Z
//
// for r that is zero on Z. The condition of P limits the accuracy; each correction with the
// residual adds as many digits again.
type complement struct {
	*blockPivoting
	inverse compute.Matrix
	out     []int          // Z
	u       compute.Matrix // UᵀU = (P⁻¹)_ZZ
}

// complement sets w to the solution for the current signs and updates g. It returns nil if the
// result is too inaccurate. O(M² + |Z|³).
func (b *blockPivoting) complement(out []int, r *monitor.Monitor) *complement {
	s := &complement{blockPivoting: b, inverse: b.sums.inverse.get(b.p, r), out: out}
	if s.inverse.Rows == 0 {
		return nil
	}
	s.u = b.submatrix(s.inverse, out, 0)
	if !compute.Cholesky(s.u, b.Workers) {
		return nil
	}
	clear(b.w)
	copy(b.g, b.b)
	corrections := 1
	if b.sums.ridge > 0 { // each adds digits; without a ridge the inverse may be inaccurate
		corrections = 5
	}
	for range corrections {
		s.correct()
		if s.residual() <= complementError*b.tau {
			return s
		}
	}
	if b.sums.ridge > 0 && len(out) == 0 && s.residual() <= activeError*b.tau {
		return s
	}
	return nil
}

// correct adds the solution for the residual in g to w and updates g.
func (s *complement) correct() {
	r := make([]float64, len(s.w))
	for m, v := range s.sign {
		if v != 0 {
			r[m] = s.g[m] - s.tau*v
		}
	}
	blas64.Gemv(blas.NoTrans, 1, s.inverse, compute.Vector(r), 1, compute.Vector(s.w))
	z := compute.PickOf(s.w, s.out)
	solve(s.u, compute.ColumnOf(z), s.Workers)
	for i, m := range s.out {
		blas64.Axpy(-z[i], compute.RowVector(s.inverse, m), compute.Vector(s.w))
	}
	for _, m := range s.out {
		s.w[m] = 0
	}
	s.refresh()
}

// residual returns the largest |g − tau·s| of the active columns.
func (s *complement) residual() float64 {
	worst := 0.0
	for m, v := range s.sign {
		if v != 0 {
			worst = max(worst, math.Abs(s.g[m]-s.tau*v))
		}
	}
	return worst
}
