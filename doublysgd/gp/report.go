package gp

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report describes the fit of the mean and its accuracy.
type Report struct {
	// Status is Converged if the fit reached the tolerance, and IterationLimit if it used all
	// iterations before.
	Status rkhs.Status
	// Rows is the number of training rows.
	Rows int
	// Centres is the number of landmarks of the preconditioner.
	Centres int
	// Iterations is the number of conjugate gradient iterations.
	Iterations int
	// Ridge is nu = s²/n, the weight of the squared norm, in units of Kernel.
	Ridge float64
	// Residual is the mean residual of k(x, x) given the landmarks.
	Residual float64
	// Error bounds the relative error of the mean, in root mean square over the rows. If no
	// Tolerance is given, an error of a tenth of the noise standard deviation counts as
	// .001, if that is larger.
	Error float64
	// Search is the result of the search for the kernel and for the ratio of noise to
	// amplitude, which is its Noise. Unless NoConstant is set, its Trial has the highest
	// likelihood among trials within one standard error of the lowest error. It is zero if
	// both were given.
	Search kernel.SearchResult
}

// fields lists the encoded fields except Search.
func (r *Report) fields() []any {
	return []any{codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.Centres, &r.Iterations, &r.Ridge, &r.Residual, &r.Error}
}

// String returns a summary on several lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("centres", "%d", r.Centres)
	l.Add("ridge", "%.4g", r.Ridge)
	l.Add("relative error", "%.2g", r.Error)
	l.AddText("selected", r.Search.String())
	return l.String()
}
