package polk

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
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

// Totals sums up the steps of a learner.
type Totals struct {
	// Steps and Rows count what was learned from.
	Steps, Rows int
	// Loss is the mean over all rows of the loss before the row was learned from,
	// and Mistakes the number of labels predicted wrongly then: the progressive
	// validation error, of the function itself where the model is an average.
	Loss     float64
	Mistakes int
	// Active, Added, Folded, Pruned, Forced and Stalled are the sums over steps;
	// Stalled counts steps.
	Active, Added, Folded, Pruned, Forced, Stalled int
	// Norm and Error are the sums of those of the steps.
	Norm, Error float64
	// IdleLoss is the mean loss in the steps that stalled, and ZeroLoss what it
	// would have been with the function zero.
	IdleLoss, ZeroLoss float64
}

// add counts a step, whose mean loss with the function zero matters if it
// stalled.
func (t *Totals) add(s Step, zero float64) {
	t.Steps++
	t.Rows += s.Rows
	t.Loss += (s.Loss - t.Loss) * float64(s.Rows) / float64(t.Rows)
	t.Mistakes += s.Mistakes
	t.Active += s.Active
	t.Added += s.Added
	t.Folded += s.Folded
	t.Pruned += s.Pruned
	t.Forced += s.Forced
	t.Norm += s.Norm
	t.Error += s.Error
	if s.Stalled {
		t.Stalled++
		t.IdleLoss += (s.Loss - t.IdleLoss) / float64(t.Stalled)
		t.ZeroLoss += (zero - t.ZeroLoss) / float64(t.Stalled)
	}
}

// stalled reports whether nothing is learned because of stalls: most steps do,
// and the loss in them is nearly that of the function zero. Near a minimum steps
// may become smaller than the budget too; that is no fault.
func (t *Totals) stalled() bool {
	return t.Stalled > t.Steps/2 && t.IdleLoss > 0.9*t.ZeroLoss
}

// merge adds the totals of another learner.
func (t *Totals) merge(o Totals) {
	mean := func(a float64, n int, b float64, m int) float64 {
		if n+m == 0 {
			return 0
		}
		return (a*float64(n) + b*float64(m)) / float64(n+m)
	}
	t.Loss = mean(t.Loss, t.Rows, o.Loss, o.Rows)
	t.IdleLoss = mean(t.IdleLoss, t.Stalled, o.IdleLoss, o.Stalled)
	t.ZeroLoss = mean(t.ZeroLoss, t.Stalled, o.ZeroLoss, o.Stalled)
	t.Norm += o.Norm
	t.Error += o.Error
	counts := o.counts()
	for i, c := range t.counts() {
		*c += *counts[i]
	}
}

// encode writes the totals into a file.
func (t *Totals) encode(e *codec.Encoder) {
	for _, v := range t.counts() {
		e.Int(*v)
	}
	for _, v := range t.numbers() {
		e.Float64(*v)
	}
}

// decodeTotals reads what encode wrote.
func decodeTotals(d *codec.Decoder) (t Totals) {
	for _, v := range t.counts() {
		if *v = d.Int(); *v < 0 || *v > math.MaxInt/2 {
			d.Fail("count %d", *v)
		}
	}
	for _, v := range t.numbers() {
		*v = d.Finite()
	}
	return t
}

func (t *Totals) counts() []*int {
	return []*int{&t.Steps, &t.Rows, &t.Mistakes, &t.Active, &t.Added, &t.Folded, &t.Pruned, &t.Forced, &t.Stalled}
}

func (t *Totals) numbers() []*float64 {
	return []*float64{&t.Loss, &t.Norm, &t.Error, &t.IdleLoss, &t.ZeroLoss}
}
