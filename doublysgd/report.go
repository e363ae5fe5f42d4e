package doublysgd

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report describes a fit and certifies its accuracy. Values that a mode does not compute are NaN.
type Report struct {
	// Mode is the mode of the fit.
	Mode Mode
	// Status is the reason why the fit ended. Converged means that it met the options; only
	// Tolerance demands an accuracy.
	Status rkhs.Status
	// Rows is the number of training rows. It depends on Work for more than 100000 rows.
	Rows int
	// Features is the number of features, ModelOrder the number of their blocks.
	Features, ModelOrder int
	// Passes counts passes over the rows, in Revisit mode over the blocks.
	Passes int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// HeldOutLoss is the last value of the selection criterion. In Revisit mode it is the mean
	// loss on held-out rows, the leave-one-out loss of a one-step regression, or for
	// classification the mean of 1/(1 + exp(4·margin)). In Newton mode it is the mean loss on
	// the next batch.
	HeldOutLoss float64
	// Objective is the mean loss on the training rows plus (nu/2)·‖f‖².
	Objective float64
	// Gradient is the norm of the gradient in the coefficients relative to its norm at zero, both at
	// the best constant. For losses with kinks it is the larger relative residual of the method of
	// multipliers.
	Gradient float64
	// Gap bounds the excess of Objective over its minimum for these features,
	// ‖gradient‖²/(2·modulus of convexity). The bound is loose if nu is small.
	Gap float64
	// Search is the result of the search for the kernel and the ridge, zero if both were given.
	Search kernel.SearchResult
	// Calibration describes the source of intervals, or of the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// Units are the units of the outputs. Losses and the function are in these units.
	Units []float64
}

// fields lists the fields of r in a file, except Search, Calibration and Units.
func (r *Report) fields() []any {
	return []any{
		codec.OneOf(&r.Mode, Plain), codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.Features, &r.ModelOrder, &r.Passes,
		&r.Ridge, &r.HeldOutLoss, &r.Objective, &r.Gradient, &r.Gap,
	}
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s, mode %v", r.Status, summary.Count(r.Passes, "pass"), r.Mode)
	l.Add("rows", "%d", r.Rows)
	l.Add("features", "%d in %s", r.Features, summary.Count(r.ModelOrder, "block"))
	l.Add("ridge", "%.4g", r.Ridge)
	l.AddNumber("held-out loss", r.HeldOutLoss)
	l.AddNumber("objective", r.Objective)
	l.AddNumber("relative gradient", r.Gradient)
	l.AddNumber("gap", r.Gap)
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
