package gp

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report says how the mean was found and how good it is known to be.
type Report struct {
	// Status says how the fit ended: Converged if the tolerance was reached,
	// IterationLimit if all iterations were used before.
	Status rkhs.Status
	// Rows is the number of rows that were trained on.
	Rows int
	// Centres is the number of rows that the preconditioner was made of.
	Centres int
	// Iterations is the number of iterations of conjugate gradients.
	Iterations int
	// Ridge is nu = s²/n, the weight of the squared norm, in the unit of Kernel.
	Ridge float64
	// Rest is the mean over the rows of what the centres leave of k(x, x).
	Rest float64
	// Error bounds the relative error of the mean, in the root mean square over the
	// rows. Without a Tolerance an error of a tenth of the deviation of the noise counts as .001, if that is more.
	Error float64
	// Choice tells how the kernel and the ratio of noise to amplitude, its Noise, were
	// found: its Trial is, unless Literal is set, the most likely of those within one
	// standard error of the least error. It is zero where both were given.
	Choice kernel.Choice
}

// fields lists what the file has of r but for Choice.
func (r *Report) fields() []any {
	return []any{codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.Centres, &r.Iterations, &r.Ridge, &r.Rest, &r.Error}
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("centres", "%d", r.Centres)
	l.Add("ridge", "%.4g", r.Ridge)
	l.Add("relative error", "%.2g", r.Error)
	l.AddText("selected", r.Choice.String())
	return l.String()
}
