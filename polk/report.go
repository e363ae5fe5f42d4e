package polk

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Report describes a fit or a learner. While rows wait it repeats the options.
type Report struct {
	// Kernel, Loss and Ridge are k, l and lam.
	Kernel kernel.Kernel
	Loss   loss.Loss
	Ridge  float64
	// Search explains the search for kernel and ridge; it is zero if both were given.
	Search kernel.SearchResult
	// Calibration describes the intervals of a Model or the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// Rate is the first step size eta_0 of a full mini-batch.
	Rate float64
	// Status is rkhs.Stalled if the budget exceeded the step in most steps and prevented
	// progress. Otherwise it is rkhs.IterationLimit after all passes, rkhs.Cancelled or
	// rkhs.Stopped after an early end, and rkhs.NotTerminated for a stream.
	Status rkhs.Status
	Totals
}

// Step reports one step of a learner.
type Step struct {
	// Rows is the number of rows B of the mini-batch.
	Rows int
	// Waiting reports that the rows wait for Options.Warmup; all other fields except Rows are
	// zero. The step that ends the wait describes the last waiting batch.
	Waiting bool
	// Loss is the mean loss of the rows and Mistakes the number of wrong labels, both before the
	// update.
	Loss     float64
	Mistakes int
	// Rate is the step size eta.
	Rate float64
	// Active is the number of rows with a gradient. Of these, Added entered the dictionary and
	// Folded were in its span.
	Active, Added, Folded int
	// Pruned is the number of removed points, including new points. Forced of them exceeded the
	// budget and were removed for MaxPoints.
	Pruned, Forced int
	// ModelOrder is the number M of points after the step.
	ModelOrder int
	// Norm is ‖eta/B·Σ l'·k(x_i, ·)‖. Budget is eps, the permitted distance of a projection, and
	// Error the actual distance, both in the RKHS norm.
	Norm, Budget, Error float64
	// Stalled reports that the budget is at least Norm² and Σ_i ‖w_i‖²·k(x_i, x_i). The budget may
	// then remove the whole step although its gradients do not cancel.
	Stalled bool
}

// String returns a short summary.
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
	if r.Kernel != nil && r.Search.Kernel == nil {
		l.Add("kernel", "%s", summary.Short(r.Kernel))
	}
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}

// Totals sums the steps of a learner.
type Totals struct {
	// Steps and Rows count the steps and their rows.
	Steps, Rows int
	// Loss is the mean loss over all rows and Mistakes the number of wrong labels, both before
	// the update with the row: the progressive validation error. An averaged model uses the
	// average.
	Loss     float64
	Mistakes int
	// Active to Forced are sums over the steps. Stalled counts steps.
	Active, Added, Folded, Pruned, Forced, Stalled int
	// Norm and Error are sums over the steps.
	Norm, Error float64
	// IdleLoss is the mean loss of the stalled steps, and ZeroLoss their mean loss with f = b.
	IdleLoss, ZeroLoss float64
}

// add adds a step. zero is its mean loss with f = b, used if it stalled.
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

// stalled reports whether stalls prevented progress: most steps stalled, and their loss is close
// to the loss of the constant. Stalls near a minimum are normal.
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

// encode writes the totals to a file.
func (t *Totals) encode(e *codec.Encoder) {
	for _, v := range t.counts() {
		e.Int(*v)
	}
	for _, v := range t.numbers() {
		e.Float64(*v)
	}
}

// decodeTotals reads the totals from a file.
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
