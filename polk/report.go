package polk

import (
	"github.com/rkhs-go/rkhs"
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
	// Rate is the first step size eta_0 of a full mini-batch.
	Rate float64
	// Status is rkhs.Stalled if the model has learned next to nothing because the
	// budget was no smaller than the step in most of the steps. Otherwise it is
	// rkhs.IterationLimit after all passes of a fit, rkhs.Cancelled or rkhs.Stopped
	// where one ended early, and rkhs.NotTerminated for a snapshot of a stream.
	Status rkhs.Status
	Totals
}
