package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// Report is how a model was learned.
type Report struct {
	// Kernels are the base kernels, those of the options or the default.
	Kernels []kernel.Kernel
	// Choice tells how the kernel and the noise were found; it is zero where Kernels were
	// given, or a Penalty without Noise, and of a Learner.
	Choice kernel.Choice
	// PointRows are the rows that a fit has taken for landmarks, in the model or not, counted among those
	// of x whose own weight is not zero; nil where Points were given, of a Learner, and of a model from a
	// file of before. With these, Kernels, Noise and Penalty as Options a fit of one output is the
	// same, up to rounding.
	PointRows []int
	// Noise is the weight of the squared norm beside the penalty, 0 if there is none.
	Noise float64
	// Ridge is lam of the objective (14).
	Ridge float64
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// Outputs has a report for each output, or a single one if the outputs share
	// their mu.
	Outputs []OutputReport
}

// OutputReport certifies the solution of one output, or of all outputs that share
// their mu.
type OutputReport struct {
	// Penalty is nu of the objective (14), chosen by cross-validation unless it was
	// given.
	Penalty float64
	// AtEdge says that the penalty was chosen at an end of what was tried or, beside a norm,
	// that none was good enough: the model is ridge regression.
	AtEdge bool
	// PenaltyMax is the smallest penalty whose solution is zero: where Penalty ≥
	// PenaltyMax the model is the intercept alone.
	PenaltyMax float64
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
	// progress although Gap is above the tolerance; Fit returns an error for it where Gap
	// exceeds both 1e-6 of Objective and 1e-10 of ‖y‖².
	Status rkhs.Status
}

// newOutputReport reports a problem of lam·nu, with the largest lam·nu of which the
// solution is not zero, in terms of lam and nu.
func newOutputReport(product, largest, lam float64, r lasso.Result) OutputReport {
	report := OutputReport{Penalty: product / lam, PenaltyMax: largest / lam, ModelOrder: r.ModelOrder,
		Steps: r.Steps, Solves: r.Solves, Refactorisations: r.Refactorisations, Status: r.Status}
	report.certify(r.Certificate)
	return report
}

func (r *OutputReport) certify(c lasso.Certificate) {
	r.Objective, r.Gap, r.KKT = c.Objective, c.Gap, c.KKT
}

// RelativeGap returns Gap as a fraction of Objective.
func (r OutputReport) RelativeGap() float64 {
	if r.Gap == 0 {
		return 0
	}
	return r.Gap / r.Objective
}

// What rounding may leave of the duality gap: a fraction of the objective, or, where the
// model explains nearly all, one of ‖Y‖².
const (
	roundedObjective = 1e-6
	roundedTargets   = 1e-10
)

// unfinished returns why the fit of problems, with these reports, is not what was asked for,
// or nil. A gap that rounding may leave is not held against it, but for the coordinate
// descent alone.
func unfinished(r *monitor.Monitor, outputs []OutputReport, problems []*lasso.Problem, descentAlone, strict bool) error {
	if r.Stopped() {
		return r.Err()
	}
	for o, rep := range outputs {
		if descentAlone && rep.Status == rkhs.Stalled {
			return fmt.Errorf("slkl: output %d: the descent lost all digits after %d steps: %w", o, rep.Steps, rkhs.ErrDiverged)
		}
		if !strict {
			continue
		}
		if rep.Status == rkhs.IterationLimit || rep.Status == rkhs.Stalled && !(rep.Gap <= max(roundedObjective*rep.Objective, roundedTargets*problems[o].Squares())) {
			return fmt.Errorf("slkl: output %d ended with status %v at a relative gap of %.1e: %w", o, rep.Status, rep.RelativeGap(), rkhs.ErrNotConverged)
		}
	}
	return nil
}

// String returns a summary: a few lines, and one for each output.
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
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}

// String returns the status, the order, the penalty and the certificate in one line.
func (r OutputReport) String() string {
	return fmt.Sprintf("%v, %s, penalty %.4g, objective %.4g, relative gap %.2g, KKT violation %.2g",
		r.Status, summary.Count(r.ModelOrder, "column"), r.Penalty, r.Objective, r.RelativeGap(), r.KKT)
}
