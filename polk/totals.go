package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/codec"
)

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
