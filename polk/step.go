package polk

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
	// this step; Forced of them exceed the budget and went for MaxOrder.
	Pruned, Forced int
	// Order is the number M of points after the step.
	Order int
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
