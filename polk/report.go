package polk

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Report says how a model was learned, or how a learner learns. While the rows of a
// learner wait it has what the options say.
type Report struct {
	// Kernel, Loss and Ridge are k, l and lam.
	Kernel kernel.Kernel
	Loss   loss.Loss
	Ridge  float64
	// Choice tells how the kernel and the ridge were found; it is zero where both were given.
	Choice kernel.Choice
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// Rate is the first step size eta_0 of a full mini-batch.
	Rate float64
	// Status is rkhs.Stalled if the model has learned next to nothing because the
	// budget was no smaller than the step in most of the steps. Otherwise it is
	// rkhs.IterationLimit after all passes of a fit, rkhs.Cancelled or rkhs.Stopped
	// where one ended early, and rkhs.NotTerminated for a snapshot of a stream.
	Status rkhs.Status
	Totals
}

// Step reports one step of a learner.
type Step struct {
	// Rows is the number of rows B of the mini-batch.
	Rows int
	// Waiting says that the rows wait until there are enough of them to set the
	// defaults from (Options.Warmup); all else is zero then. The step after which
	// the wait is over reports the last of the batches that waited.
	Waiting bool
	// Loss is the mean loss of the rows, and Mistakes the number of rows whose
	// label was predicted wrongly, both before the function has moved.
	Loss     float64
	Mistakes int
	// Rate is the step size eta.
	Rate float64
	// Active is the number of rows with a gradient. Of these Added came into the
	// dictionary and Folded were in its span already.
	Active, Added, Folded int
	// Pruned is the number of points that were removed, some of which may be of
	// this step; Forced of them exceed the budget and went for MaxPoints.
	Pruned, Forced int
	// ModelOrder is the number M of points after the step.
	ModelOrder int
	// Norm is the norm of the gradient step, ‖eta/B·Σ l'·k(x_i, ·)‖; the budget eps
	// is what the removal of points may cost in this norm, and Error what it, and
	// folding, did cost.
	Norm, Budget, Error float64
	// Stalled says that the budget is no smaller than the gradient step itself, so
	// that the step may be given up whole, and that this is not because gradients
	// of its rows cancel one another: the budget exceeds Σ_i ‖w_i‖²·k(x_i, x_i) too.
	// A learner that only stalls learns nothing.
	Stalled bool
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Steps, "step"))
	l.Add("rows", "%d", r.Rows)
	if r.Loss != nil {
		l.Add("loss", "%v", r.Loss)
	}
	l.Add("ridge", "%.4g", r.Ridge)
	l.AddNumber("rate", r.Rate)
	l.AddNumber("mean loss before each update", r.Totals.Loss)
	l.Add("points", "%d added, %d removed", r.Added, r.Pruned)
	l.AddNumber("compression error", r.Error)
	if r.Kernel != nil && r.Choice.Kernel == nil {
		l.Add("kernel", "%s", summary.Short(r.Kernel))
	}
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
