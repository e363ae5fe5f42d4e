package alignment

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report certifies a model: the alignment that its kernel has reached, and how
// far the second stage is from its optimum.
type Report struct {
	// C or Ridge is the weight that the model has, the other is 0.
	C, Ridge float64
	// Choice tells how the kernel and the ridge were found: the curve of what was
	// compared, kernels of one bandwidth first. It is zero where there was nothing to
	// find, or alignment alone decided.
	Choice kernel.Choice
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// HeldOutLoss is the fraction of wrong labels, on validation rows or by
	// cross-validation, that C was chosen by, and 0 where there was no choice.
	HeldOutLoss float64
	// ModelOrder is the number of points with a weight in the model: fewer than there
	// were rows where these were too many for an exact solution, or for support vector
	// machines.
	ModelOrder int
	// Objective and Gap are the dual objective of the support vector machine and a bound of
	// how far it is below its maximum, the certificate of package svm, both summed over pairs of
	// classes. Violation is the largest violation of the
	// optimality conditions, in units of the margin. For ridge regression Objective is
	// Σ(y − b − f)² + ridge·‖f‖², Gap is 0 and Violation the relative residual of its
	// linear equations, (K + ridge·I)a = y − b for an exact solution.
	Objective, Gap, Violation float64
	// Status says how the second stage ended.
	Status rkhs.Status
}

func (r *Report) encode(e *codec.Encoder) {
	for _, v := range r.numbers() {
		e.Float64(*v)
	}
	e.Int(r.ModelOrder)
	e.Int(int(r.Status))
}

func decodeReport(d *codec.Decoder) Report {
	var r Report
	for _, v := range r.numbers() {
		*v = d.Finite()
	}
	r.ModelOrder, r.Status = d.Int(), codec.Enum(d, rkhs.Stalled)
	return r
}

func (r *Report) numbers() []*float64 {
	return []*float64{&r.C, &r.Ridge, &r.HeldOutLoss, &r.Objective, &r.Gap, &r.Violation}
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v", r.Status)
	l.Add("points", "%d", r.ModelOrder)
	l.AddNumber("C", r.C)
	l.AddNumber("ridge", r.Ridge)
	l.AddNumber("held-out loss", r.HeldOutLoss)
	l.AddNumber("objective", r.Objective)
	l.Add("gap", "%.2g", r.Gap)
	l.Add("violation", "%.2g", r.Violation)
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
