package ratio

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
)

// Report says how a model was found, and how good it is known to be.
type Report struct {
	// Status says how the fit ended: Converged if the tolerance was reached,
	// IterationLimit if all features were used before.
	Status rkhs.Status
	// Rows is the number of rows of both kinds that were learned from.
	Rows int
	// ModelOrder is the number of centres, none on a stream.
	ModelOrder int
	// Iterations is the number of gradient steps, each with a block of features.
	Iterations int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// Rest is the mean over the rows of what the centres leave of k(x, x), NaN on a
	// stream.
	Rest float64
	// Error bounds the root mean square error of the function over a sample of the rows:
	// of log w, or of w relative to itself. Being a bound, it may be much larger than the
	// error where nu is small. It is NaN on a stream.
	Error float64
}

// String returns a summary of a few lines.
func (r Report) String() string { return descent.SpaceReport(r).String() }
