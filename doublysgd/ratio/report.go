package ratio

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
)

// Report describes a fit and its accuracy.
type Report struct {
	// Status is Converged if the fit reached the tolerance, and IterationLimit if it used all
	// features before.
	Status rkhs.Status
	// Rows is the number of training rows of both densities.
	Rows int
	// ModelOrder is the number of landmarks; it is 0 for a Learner.
	ModelOrder int
	// Iterations is the number of gradient steps, each with one block of features.
	Iterations int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// Residual is the mean residual of k(x, x) given the landmarks. It is NaN for a Learner.
	Residual float64
	// Error bounds the root mean square error over a sample of the rows: the absolute error
	// of log w, or the relative error of w. For small nu the bound may be much larger than
	// the error. It is NaN for a Learner.
	Error float64
}

// String returns a summary on several lines.
func (r Report) String() string { return descent.SpaceReport(r).String() }
