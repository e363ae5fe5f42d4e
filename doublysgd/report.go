package doublysgd

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report says how a model was found and how good it is known to be. What a mode
// does not know is NaN.
type Report struct {
	// Mode is the mode of the fit.
	Mode Mode
	// Status says how the fit ended. Converged means that it did what the options
	// ask for, of which only Tolerance asks for a certain accuracy.
	Status rkhs.Status
	// Rows is the number of rows that were trained on, each counted once a fit and
	// once an update of a stream. A fit to more than 100000 takes as many as Work allows.
	Rows int
	// Features is the number of features, ModelOrder that of their blocks.
	Features, ModelOrder int
	// Passes counts passes over the data, in Revisit mode over the blocks.
	Passes int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// HeldOutLoss is the criterion by which choices were made, the last time that it
	// was measured: in Revisit mode on rows held out, before they were trained on,
	// the mean loss or, of a classification, the smoothed fraction of wrong labels,
	// the mean of 1/(1 + exp(4·margin)), of a regression in one step on all rows, each
	// left out; in Newton mode the mean loss on the batch
	// after the last step.
	HeldOutLoss float64
	// Objective is the mean loss on the rows trained on plus (nu/2)·‖f‖².
	Objective float64
	// Gradient is the norm of the gradient of Objective in the coefficients, as a
	// fraction of that where these are zero, at the best constant each: for the squared
	// loss the relative residual norm of the normal equations. Of losses with kinks it is the larger of the relative
	// residuals of the method of multipliers by which they are minimised.
	Gradient float64
	// Gap bounds by how much Objective exceeds its minimum over all functions of
	// these features, ‖gradient‖²/(2·modulus of convexity). Being a bound, it may
	// be much larger than the excess where nu is small.
	Gap float64
	// Choice tells how the kernel and the ridge were found, of a fit to data at hand. It
	// is zero where both were given.
	Choice kernel.Choice
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// Units are the units of the targets of each output, in which losses and the
	// function are measured.
	Units []float64
}

// fields lists the fields of r in a file, except Choice, Calibration and Units.
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
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
