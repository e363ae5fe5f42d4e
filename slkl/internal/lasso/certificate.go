package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Certificate is what the optimality conditions say of weights W.
type Certificate struct {
	Objective float64 // ‖Y − CW‖² + 2·tau·Σ‖w_m‖
	Gap       float64 // duality gap, an upper bound of Objective − minimum
	KKT       float64 // largest violation of the optimality conditions, in units of tau
}

// Meets reports whether the gap is below the fraction tolerance of the objective.
func (c Certificate) Meets(tolerance float64) bool { return c.Gap <= tolerance*c.Objective }

// Progress reports the certificate of a model of order columns in the phase "solve".
func (c Certificate) Progress(iteration, order int) rkhs.Progress {
	return rkhs.Progress{Phase: "solve", Done: iteration, Iteration: iteration, ModelOrder: order, Objective: c.Objective, Gap: c.Gap}
}

// Certify returns the certificate of W, M×q, with the residual R = Y − CW, from the
// correlations G = CᵀR, M×q, from rr = ‖R‖² and yr = <Y, R>. The conditions are
// ‖g_m‖ ≤ tau, and g_m = tau·w_m/‖w_m‖ where w_m is not zero. O(M·q).
func Certify(w, g compute.Matrix, rr, yr, tau float64) Certificate {
	var norm, largest, violation float64
	rest := make([]float64, w.Cols)
	for m := range w.Rows {
		wm, gm := compute.Row(w, m), compute.Row(g, m)
		size := blas64.Nrm2(compute.Vector(wm))
		norm += size
		largest = max(largest, blas64.Nrm2(compute.Vector(gm)))
		if size > 0 {
			violation = max(violation, deviation(rest, wm, gm, size, tau))
		}
	}
	c := dualityGap(rr, yr, norm, largest, tau)
	c.KKT = max(violation, largest-tau) / tau
	return c
}

// deviation returns ‖g − tau·w/‖w‖‖ for ‖w‖ = size, and leaves the difference in
// rest if there are several outputs.
func deviation(rest, w, g []float64, size, tau float64) float64 {
	if len(w) == 1 {
		return math.Abs(g[0] - math.Copysign(tau, w[0]))
	}
	copy(rest, g)
	blas64.Axpy(-tau/size, compute.Vector(w), compute.Vector(rest))
	return blas64.Nrm2(compute.Vector(rest))
}

// dualityGap takes rr and yr of the residual R, the penalised norm of W, and the
// largest norm of the correlation of R with a column. The dual point is s·R with
// s = min(1, tau/largest, yr/rr).
func dualityGap(rr, yr, norm, largest, tau float64) Certificate {
	rr = max(0, rr) // by rounding alone it is negative
	s := 1.0
	if largest > tau {
		s = tau / largest
	}
	if rr > 0 {
		s = min(s, max(0, yr/rr))
	}
	primal := rr + 2*tau*norm
	return Certificate{Objective: primal, Gap: max(0, primal-(2*s*yr-s*s*rr))}
}

// certify is Certify from the sums over the rows: rr = ‖Y‖² − <B + G, W> and
// yr = ‖Y‖² − <B, W> for B = CᵀY. Where a ridge is part of CᵀC the gap is the lesser of
// two.
func certify(b, w, g compute.Matrix, yy, tau, ridge float64) Certificate {
	var bw, gw float64
	for m := range w.Rows {
		wm := compute.RowVector(w, m)
		bw += blas64.Dot(compute.RowVector(b, m), wm)
		gw += blas64.Dot(compute.RowVector(g, m), wm)
	}
	c := Certify(w, g, yy-bw-gw, yy-bw, tau)
	if ridge > 0 {
		c.Gap = min(c.Gap, ridgeGap(w, g, tau, ridge))
	}
	return c
}

// ridgeGap is the duality gap of a problem whose last M rows are √ridge·I, with targets of
// zero. Correlations above tau are taken to it there, by a change −e_m/√ridge of the
// residual for the excess e_m, in place of scaling all of the residual:
//
//	gap = Σ 2·(tau·‖w_m‖ − <w_m, g_m − e_m>) + ‖e_m‖²/ridge.
//
// No term is negative. With scaling, rounding of the correlations counts in units of tau,
// which may be small; here it counts by the weights.
func ridgeGap(w, g compute.Matrix, tau, ridge float64) float64 {
	gap := 0.0
	for m := range w.Rows {
		wm, gm := compute.RowVector(w, m), compute.RowVector(g, m)
		size := blas64.Nrm2(gm)
		within := 1.0
		if size > tau {
			within = tau / size
			gap += (size - tau) * (size - tau) / ridge
		}
		gap += 2 * max(0, tau*blas64.Nrm2(wm)-within*blas64.Dot(wm, gm))
	}
	return gap
}
