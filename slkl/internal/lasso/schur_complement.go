package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// rough is the residual, relative to tau, up to which a solution tells which
// conditions are violated. Where no column is out, whose correlation it would be set beside, roughest will do: of a
// small tau rounding leaves no less, nor would a factor of P.
const rough, roughest = 1e-4, 1e-2

// schurComplement solves for signs by the inverse of P, which all outputs and all nu
// share, and the Schur complement ((P⁻¹)_ZZ)⁻¹ of P_AA in P. With Z the inactive
// columns
//
//	P_AA⁻¹r = (P⁻¹r)_A − (P⁻¹)_AZ·((P⁻¹)_ZZ)⁻¹·(P⁻¹r)_Z
//
// for r that is zero on Z. The condition of P limits its digits; a second step,
// on the residual of the first, gives as many again.
type schurComplement struct {
	*iterate
	inv  compute.Matrix
	sign []float64
	out  []int          // Z
	u    compute.Matrix // UᵀU = (P⁻¹)_ZZ
}

// solveByComplement sets w to the solution for the given signs and leaves g at w. It
// returns nil if the result has no digits to go on. O(M² + |Z|³).
func (l *iterate) solveByComplement(sign []float64, r *monitor.Monitor) *schurComplement {
	s := &schurComplement{iterate: l, inv: l.inverse.get(l.p, r), sign: sign}
	if s.inv.Rows == 0 {
		return nil
	}
	for m, v := range sign {
		if v == 0 {
			s.out = append(s.out, m)
		}
	}
	s.u = l.submatrix(s.inv, s.out, 0)
	if !compute.Cholesky(s.u, l.workers) {
		return nil
	}
	clear(l.w)
	copy(l.g, l.b)
	for range l.corrections() {
		s.correct()
		if s.residual() <= rough*l.tau {
			return s
		}
	}
	if l.ridge > 0 && len(s.out) == 0 && s.residual() <= roughest*l.tau {
		return s
	}
	return nil
}

// corrections is the number of steps that a solution may take to be good enough. With a
// ridge each gains some digits; without one the inverse may have none to give.
func (l *iterate) corrections() int {
	if l.ridge > 0 {
		return 5
	}
	return 1
}

// correct adds to w the solution for the residual at g, and brings g to w.
func (s *schurComplement) correct() {
	r := make([]float64, len(s.w))
	for m, v := range s.sign {
		if v != 0 {
			r[m] = s.g[m] - s.tau*v
		}
	}
	blas64.Gemv(blas.NoTrans, 1, s.inv, compute.Vector(r), 1, compute.Vector(s.w))
	z := make([]float64, len(s.out))
	for i, m := range s.out {
		z[i] = s.w[m]
	}
	solveColumn(s.u, z, s.workers)
	for i, m := range s.out {
		blas64.Axpy(-z[i], compute.RowVector(s.inv, m), compute.Vector(s.w))
	}
	for _, m := range s.out {
		s.w[m] = 0
	}
	s.refresh()
}

// residual is the largest |g − tau·s| among the active columns.
func (s *schurComplement) residual() float64 {
	worst := 0.0
	for m, v := range s.sign {
		if v != 0 {
			worst = max(worst, math.Abs(s.g[m]-s.tau*v))
		}
	}
	return worst
}
