package slkl

import "github.com/rkhs-go/rkhs"

// certificate is what the optimality conditions say of an iterate.
type certificate struct {
	objective float64 // of the primal problem
	gap       float64 // duality gap, an upper bound of objective − minimum
	kkt       float64 // largest violation of the optimality conditions, in units of tau
}

// meets reports whether the gap is below the fraction tol of the objective.
func (c certificate) meets(tol float64) bool { return c.gap <= tol*c.objective }

// progress reports the certificate of a model of order columns.
func (c certificate) progress(iteration, order int) rkhs.Progress {
	return rkhs.Progress{Iteration: iteration, ModelOrder: order, Objective: c.objective, Gap: c.gap}
}

// dualityGap takes rᵀr and yᵀr of the residual r, the penalised norm of the
// weights, and the largest norm of the correlation of r with a column. The dual
// point is s·r with s = min(1, tau/worst, yᵀr/rᵀr).
func dualityGap(rr, yr, norm, worst, tau float64) certificate {
	rr = max(0, rr) // by rounding alone it is negative
	s := 1.0
	if worst > tau {
		s = tau / worst
	}
	if rr > 0 {
		s = min(s, max(0, yr/rr))
	}
	primal := rr + 2*tau*norm
	return certificate{objective: primal, gap: max(0, primal-(2*s*yr-s*s*rr))}
}
