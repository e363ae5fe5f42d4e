package ridge

import (
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report says how a function was found, and how far it can be from the one that is meant:
// the minimiser f* over the space of the kernel, or over the functions on the points where
// these are fewer than the rows.
type Report struct {
	// Status says how the fit ended.
	Status rkhs.Status
	// Rows is the number n of rows that were trained on.
	Rows int
	// ModelOrder is the number of points that f sits on.
	ModelOrder int
	// Iterations is the number of steps of conjugate gradients, 1 or few where a
	// factorisation went before.
	Iterations int
	// Ridge is lam, as it was given or found, or the least that rounding leaves of it.
	Ridge float64
	// Residual is, of each output, what the solution leaves of its equations, relative to
	// the targets less their constant, in the Euclidean norm. With a_i the weights of the rows
	// it is ‖y − b − (K + n·lam·I)a‖/‖y − b‖; on fewer points, in an orthonormal
	// basis e of their functions, E = e(x), f = e·a, the residual
	// ‖Eᵀ(y − b − Ea) − n·lam·a‖/‖Eᵀ(y − b)‖.
	Residual []float64
	// Error bounds ‖f − f*‖ of each output in the space of the kernel, and so
	// |f(x) − f*(x)|/√k(x, x) anywhere.
	Error []float64
	// Norm is ‖f‖ of each output in the space of the kernel.
	Norm []float64
	// LeaveOneOut is the mean squared error of each output at the rows, each predicted
	// from all others. It is nil where no factor of the matrix was at hand.
	LeaveOneOut []float64
	// HeldOut is the mean squared error of each output, less its mean where a constant is
	// free, at the rows that were held out, which Rows does not count; nil if none was.
	HeldOut []float64
	// Choice tells how the kernel and the ridge were found. It is zero where both were
	// given.
	Choice kernel.Choice
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// Lost is ‖f − g‖ of each output for a model that Compress made of f, where g is what
	// it was made of; nil for others.
	Lost []float64
}

// clone returns a copy that shares no list.
func (r Report) clone() Report {
	for _, list := range r.lists() {
		*list = slices.Clone(*list)
	}
	r.Choice.Curve = slices.Clone(r.Choice.Curve)
	r.Calibration = r.Calibration.Clone()
	return r
}

func (r *Report) lists() []*[]float64 {
	return []*[]float64{&r.Residual, &r.Error, &r.Norm, &r.LeaveOneOut, &r.HeldOut, &r.Lost}
}

// fields lists what the file has of r but for Choice and Calibration.
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
	l.AddNumbers("compression error", r.Lost)
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
