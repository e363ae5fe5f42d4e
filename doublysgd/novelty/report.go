package novelty

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
)

// Report says how a model was found, and how good it is known to be.
type Report struct {
	// Status says how the fit ended: Converged if the tolerance was reached,
	// IterationLimit if all iterations were used before.
	Status rkhs.Status
	// Rows is the number of rows that were learned from.
	Rows int
	// ModelOrder is the number of centres, none on a stream.
	ModelOrder int
	// Iterations is the number of steps.
	Iterations int
	// Ridge is nu, the weight of the squared norm, which is Options.Fraction.
	Ridge float64
	// Rest is the mean over the rows of what the centres leave of k(x, x), NaN on a
	// stream.
	Rest float64
	// Error is the sum of two errors relative to r: the root mean square by which f
	// differs from that of the multipliers, and the violation of the conditions
	// between f and the multipliers divided by nu. It is NaN on a stream.
	Error float64
}

// String returns a summary of a few lines.
func (r Report) String() string { return descent.SpaceReport(r).String() }
