package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Report certifies the solution of one output, or of all outputs that share
// their mu.
type Report struct {
	// Nu and Lambda are the parameters of the objective (14). Nu was chosen by
	// cross-validation unless it was given.
	Nu, Lambda float64
	// NuMax is the smallest nu whose solution is zero: where Nu ≥ NuMax the
	// model is the intercept alone.
	NuMax float64
	// Objective is ‖y − Cw‖² + 2·√(lam·nu)·‖w‖₁ at the weights of the model (the
	// norm being Σ‖w_m‖₂ for outputs that share their mu). Its minimum is that of
	// F, and so is its value at the minimum.
	Objective float64
	// Gap is the duality gap: Objective exceeds its minimum by no more. It is
	// computed from the sums over the rows, to about 1e-16·Σ|w_l·P_lm·w_m|, which
	// grows beyond the tolerance where nearly equal columns have large weights of
	// both signs.
	Gap float64
	// KKT is the largest violation of the optimality conditions |c_mᵀr| ≤ tau,
	// and = tau where a column has weight, in units of tau = √(lam·nu).
	KKT float64
	// ModelOrder is m0, the number of columns with weight.
	ModelOrder int
	// Steps counts accepted coordinate steps, Solves the steps on the optimality
	// conditions, Refactorisations how often the inverse G was computed afresh.
	Steps, Solves, Refactorisations int
	// Status says how the solver ended. Stalled means that rounding leaves no
	// progress although Gap is above the tolerance.
	Status rkhs.Status
}

// RelativeGap returns Gap as a fraction of Objective.
func (r Report) RelativeGap() float64 {
	if r.Gap == 0 {
		return 0
	}
	return r.Gap / r.Objective
}

func (r *Report) take(c certificate) { r.Objective, r.Gap, r.KKT = c.objective, c.gap, c.kkt }

// withLambda returns the report of a problem solved with lam = 1 in terms of
// another lam.
func (r Report) withLambda(lam float64) Report {
	r.Lambda = lam
	r.Nu /= lam
	r.NuMax /= lam
	return r
}

// outcome is the status of a solver that is done, or at its limit, or stopped,
// or out of progress.
func outcome(r *monitor.Monitor, done, limit bool) rkhs.Status {
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

// unfinished returns why the fit with these reports is not what was asked for,
// or nil. Stalling within a millionth of the optimum is not held against it.
func unfinished(r *monitor.Monitor, reports []Report, epsilon float64) error {
	if r.Stopped() {
		return r.Err()
	}
	for o, rep := range reports {
		if epsilon > 0 && rep.Status == rkhs.Stalled {
			return fmt.Errorf("slkl: output %d: the descent lost all digits after %d steps: %w", o, rep.Steps, rkhs.ErrDiverged)
		}
		if rep.Status == rkhs.IterationLimit || rep.Status == rkhs.Stalled && !(rep.RelativeGap() <= 1e-6) {
			return fmt.Errorf("slkl: output %d ended with status %v at a relative gap of %.1e: %w", o, rep.Status, rep.RelativeGap(), rkhs.ErrNotConverged)
		}
	}
	return nil
}
