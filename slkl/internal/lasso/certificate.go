package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Certificate bounds the distance of weights W from the optimum.
type Certificate struct {
	Objective float64 // ‖Y − CW‖² + 2·tau·Σ‖w_m‖
	Gap       float64 // duality gap, an upper bound of Objective − minimum
	KKT       float64 // largest violation of the optimality conditions, in units of tau
}

// Meets reports whether the gap is at most the fraction tolerance of the objective.
func (c Certificate) Meets(tolerance float64) bool { return c.Gap <= tolerance*c.Objective }

// Progress returns the progress in phase "solve" of a model of order columns.
func (c Certificate) Progress(iteration, order int) rkhs.Progress {
	return rkhs.Progress{Phase: "solve", Done: iteration, Iteration: iteration, ModelOrder: order,
		Objective: c.Objective, Gap: c.Gap}
}

// Certify returns the certificate of W, M×q, from the residual R = Y − CW: the correlations
// G = CᵀR, M×q, rr = ‖R‖² and yr = <Y, R>. The optimality conditions are ‖g_m‖ ≤ tau, and
// g_m = tau·w_m/‖w_m‖ for w_m ≠ 0. The dual point is s·R with
// s = min(1, tau/max_m‖g_m‖, yr/rr). O(M·q).
func Certify(w, g compute.Matrix, rr, yr, tau float64) Certificate {
	var norm, largest, violation float64
	for m := range w.Rows {
		wm, gm := compute.Row(w, m), compute.Row(g, m)
		size := blas64.Nrm2(compute.Vector(wm))
		norm += size
		largest = max(largest, blas64.Nrm2(compute.Vector(gm)))
		if size > 0 {
			violation = max(violation, deviation(wm, gm, size, tau))
		}
	}
	rr = max(0, rr) // rounding can make it negative
	s := 1.0
	if largest > tau {
		s = tau / largest
	}
	if rr > 0 {
		s = min(s, max(0, yr/rr))
	}
	primal := rr + 2*tau*norm
	return Certificate{Objective: primal, Gap: max(0, primal-(2*s*yr-s*s*rr)),
		KKT: max(violation, largest-tau) / tau}
}

// deviation returns ‖g − tau·w/‖w‖‖ for ‖w‖ = size.
func deviation(w, g []float64, size, tau float64) float64 {
	if len(w) == 1 {
		return math.Abs(g[0] - math.Copysign(tau, w[0]))
	}
	difference := compute.Vector(slices.Clone(g))
	blas64.Axpy(-tau/size, compute.Vector(w), difference)
	return blas64.Nrm2(difference)
}

// certify returns the certificate of W with the correlations g, from rr = ‖Y‖² − <B + G, W> and
// yr = ‖Y‖² − <B, W> for B = CᵀY. If P contains a ridge, the gap is the smaller of two bounds.
func (p *Problem) certify(g compute.Matrix, tau float64) Certificate {
	var bw, gw float64
	for m := range p.W.Rows {
		wm := compute.RowVector(p.W, m)
		bw += blas64.Dot(compute.RowVector(p.cy, m), wm)
		gw += blas64.Dot(compute.RowVector(g, m), wm)
	}
	c := Certify(p.W, g, p.yy-bw-gw, p.yy-bw, tau)
	if p.sums.ridge > 0 {
		c.Gap = min(c.Gap, ridgeGap(p.W, g, tau, p.sums.ridge))
	}
	return c
}

// ridgeGap returns the duality gap of a problem with M more rows √ridge·I and targets of zero. It
// reduces a correlation above tau by a change −e_m/√ridge of the residual in these rows, for the
// excess e_m, instead of scaling the whole residual:
//
//	gap = Σ 2·(tau·‖w_m‖ − <w_m, g_m − e_m>) + ‖e_m‖²/ridge.
//
// No term is negative. Rounding errors of the correlations count in proportion to the weights; with
// scaling they count in units of tau, which can be small.
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

// Result is the result of Solve.
type Result struct {
	Certificate
	ModelOrder int // m0, the number of columns with weight
	// Steps counts accepted coordinate steps, Solves counts steps on the optimality conditions,
	// Refactorisations counts recomputations of the inverse G.
	Steps, Solves, Refactorisations int
	Status                          rkhs.Status
}

// run is the state of one call of Solve.
type run struct {
	result    Result
	nu, tau   float64 // tau = √nu
	tolerance float64
	limit     int // of Steps + Solves
	monitor   *progress.Monitor
}

// goesOn reports whether the solver may make another step.
func (s *run) goesOn() bool { return s.result.Steps+s.result.Solves < s.limit && !s.monitor.Stopped() }

// report reports the progress of a model of order columns.
func (s *run) report(order int) {
	s.monitor.Report(s.result.Progress(s.result.Steps+s.result.Solves, order))
}

// outcome returns the status of a solver that ends.
func (s *run) outcome(done bool) rkhs.Status { return Outcome(s.monitor, done, !s.goesOn()) }

// Outcome returns the status of a solver that has converged, was stopped by r, is at its limit
// of steps, or has stalled.
func Outcome(r *progress.Monitor, done, limit bool) rkhs.Status {
	switch {
	case done:
		return rkhs.Converged
	case r.Stopped():
		return r.Status()
	case limit:
		return rkhs.IterationLimit
	}
	return rkhs.Stalled
}
