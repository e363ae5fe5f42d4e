package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// Report describes a fit.
type Report struct {
	// Kernels are the base kernels, given or selected.
	Kernels []kernel.Kernel
	// Search describes the search for the kernel and the noise. It is zero for a Learner, and if
	// Kernels, or Penalty without Noise, were given.
	Search kernel.SearchResult
	// PointRows lists the rows of all landmarks, counted among the rows of x with positive weight. It
	// is nil for a Learner and for given Points. A fit with these PointRows and the Kernels, Noise and
	// Penalty of the report gives the same model of one output, up to rounding.
	PointRows []int
	// Noise is the weight of the squared norm.
	Noise float64
	// Ridge is lam of the objective (14).
	Ridge float64
	// Calibration describes the intervals, or the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// Outputs has a report for each output, or a single one if the outputs share their mu.
	Outputs []OutputReport
}

// OutputReport certifies the solution of one output, or of all outputs that share their mu.
type OutputReport struct {
	// Penalty is nu of the objective (14), given or selected.
	Penalty float64
	// AtEdge reports whether Penalty is at an end of the grid or, with a norm, whether no penalty was
	// good enough, so that the model is ridge regression.
	AtEdge bool
	// PenaltyMax is the smallest penalty with the solution zero.
	PenaltyMax float64
	// Objective is ‖y − Cw‖² + 2·√(lam·nu)·‖w‖₁, with Σ‖w_m‖₂ instead of ‖w‖₁ for outputs that share
	// their mu. Its minimum is the minimum of F.
	Objective float64
	// Gap is the duality gap: Objective exceeds its minimum by at most Gap. Its rounding error is
	// about 1e-16·Σ|w_l·P_lm·w_m|, which is large if nearly equal columns have large weights of
	// opposite signs.
	Gap float64
	// KKT is the largest violation of the optimality conditions |c_mᵀr| ≤ tau, and = tau for columns
	// with weight, in units of tau = √(lam·nu).
	KKT float64
	// ModelOrder is m0, the number of columns with weight.
	ModelOrder int
	// Steps counts accepted coordinate steps, Solves counts steps on the optimality conditions,
	// Refactorisations counts recomputations of the inverse G.
	Steps, Solves, Refactorisations int
	// Status reports how the solver ended. Stalled means that rounding prevents progress above the
	// tolerance. It is an error if Tolerance was given and Gap exceeds both 1e-6 of Objective and
	// 1e-10 of ‖y‖².
	Status rkhs.Status
}

// newOutputReport reports the solution for lam·nu = product; largest is the largest lam·nu.
func newOutputReport(product, largest, lam float64, r lasso.Result) OutputReport {
	report := OutputReport{Penalty: product / lam, PenaltyMax: largest / lam, ModelOrder: r.ModelOrder,
		Steps: r.Steps, Solves: r.Solves, Refactorisations: r.Refactorisations, Status: r.Status}
	report.certify(r.Certificate)
	return report
}

func (r *OutputReport) certify(c lasso.Certificate) {
	r.Objective, r.Gap, r.KKT = c.Objective, c.Gap, c.KKT
}

// RelativeGap returns Gap/Objective.
func (r OutputReport) RelativeGap() float64 {
	if r.Gap == 0 {
		return 0
	}
	return r.Gap / r.Objective
}

// A gap of a stalled solver is rounding error if it is at most the larger of these fractions of the
// objective and of ‖Y‖².
const (
	roundedObjective = 1e-6
	roundedTargets   = 1e-10
)

// unfinished returns an error if the fit stopped early, if a pure coordinate descent stalled, or if the fit
// missed a given Tolerance.
func (s *settings) unfinished(r *progress.Monitor, outputs []OutputReport, problems []*lasso.Problem) error {
	if r.Stopped() {
		return r.Err()
	}
	for o, rep := range outputs {
		stalled := rep.Status == rkhs.Stalled
		if s.descentAlone() && stalled {
			return fmt.Errorf("slkl: output %d: the descent lost all digits after %d steps: %w",
				o, rep.Steps, rkhs.ErrDiverged)
		}
		rounded := rep.Gap <= max(roundedObjective*rep.Objective, roundedTargets*problems[o].Squares())
		if s.strict && (rep.Status == rkhs.IterationLimit || stalled && !rounded) {
			return fmt.Errorf("slkl: output %d ended with status %v at a relative gap of %.1e: %w",
				o, rep.Status, rep.RelativeGap(), rkhs.ErrNotConverged)
		}
	}
	return nil
}

// String returns a summary of a few lines, and one line for each output.
func (r Report) String() string {
	var l summary.Lines
	for _, k := range r.Kernels {
		l.Add("kernel", "%s", summary.Short(k))
	}
	l.Add("noise", "%.4g", r.Noise)
	l.Add("ridge", "%.4g", r.Ridge)
	for _, o := range r.Outputs {
		l.Add("output", "%v", o)
	}
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}

// String returns the status, the order, the penalty and the certificate in one line.
func (r OutputReport) String() string {
	return fmt.Sprintf("%v, %s, penalty %.4g, objective %.4g, relative gap %.2g, KKT violation %.2g",
		r.Status, summary.Count(r.ModelOrder, "column"), r.Penalty, r.Objective, r.RelativeGap(), r.KKT)
}
