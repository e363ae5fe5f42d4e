package ridge

import (
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report describes a fit and bounds its distance from the minimiser f*; see "Certificate".
type Report struct {
	// Status is the reason why the fit ended.
	Status rkhs.Status
	// Rows is the number n of training rows.
	Rows int
	// ModelOrder is the number of points that f is supported on.
	ModelOrder int
	// Iterations is the number of steps of conjugate gradients, 1 or few after a factorisation.
	Iterations int
	// Ridge is lam, as given, selected, or raised to the least value that rounding allows.
	Ridge float64
	// Residual is the relative residual of the equations of each output,
	// ‖y − b − (K + n·lam·I)a‖/‖y − b‖. On landmarks, with an orthonormal basis e of their
	// functions, E = e(x) and f = e·a, it is ‖Eᵀ(y − b − Ea) − n·lam·a‖/‖Eᵀ(y − b)‖.
	Residual []float64
	// Error bounds ‖f − f*‖ of each output, and |f(x) − f*(x)|/√k(x, x) for any x.
	Error []float64
	// Norm is ‖f‖ of each output in the space of the kernel.
	Norm []float64
	// LeaveOneOut is the leave-one-out mean squared error of each output, or nil without a factor.
	LeaveOneOut []float64
	// HeldOut is the mean squared error of each output on held-out rows, minus its mean if a constant
	// is free, or nil without held-out rows. Rows does not count these.
	HeldOut []float64
	// Search describes the kernel search. It is zero if kernel and ridge were given.
	Search kernel.SearchResult
	// Calibration describes the intervals, or the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// CompressionError is the compression error ‖f − g‖ of each output, if Compress made f from g.
	CompressionError []float64
}

// clone returns a copy that shares no memory.
func (r Report) clone() Report {
	for _, list := range r.lists() {
		*list = slices.Clone(*list)
	}
	r.Search.Curve = slices.Clone(r.Search.Curve)
	r.Calibration = r.Calibration.Clone()
	return r
}

func (r *Report) lists() []*[]float64 {
	return []*[]float64{&r.Residual, &r.Error, &r.Norm, &r.LeaveOneOut, &r.HeldOut, &r.CompressionError}
}

// fits reports whether the lengths of the slices fit the number of outputs.
func (r *Report) fits(outputs int) bool {
	return !slices.ContainsFunc(r.lists(), func(list *[]float64) bool { return len(*list) != 0 && len(*list) != outputs })
}

// fields lists the content of a file, without Search and Calibration.
func (r *Report) fields() []any {
	list := []any{codec.OneOf(&r.Status, rkhs.EarlyStopped), &r.Rows, &r.ModelOrder, &r.Iterations, &r.Ridge}
	for _, l := range r.lists() {
		list = append(list, l)
	}
	return list
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("points", "%d", r.ModelOrder)
	l.Add("ridge", "%.4g", r.Ridge)
	l.AddNumbers("leave-one-out mean squared error", r.LeaveOneOut)
	l.AddNumbers("held-out mean squared error", r.HeldOut)
	l.AddNumbers("relative residual", r.Residual)
	l.AddNumbers("compression error", r.CompressionError)
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
