package novelty

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
)

// Report describes a fit and its accuracy.
type Report struct {
	// Status is Converged if the fit reached the tolerance, and IterationLimit if it used all
	// iterations before.
	Status rkhs.Status
	// Rows is the number of training rows.
	Rows int
	// ModelOrder is the number of landmarks; it is 0 for a Learner.
	ModelOrder int
	// Iterations is the number of steps.
	Iterations int
	// Ridge is nu, the weight of the squared norm. It equals Options.Nu.
	Ridge float64
	// Residual is the mean residual of k(x, x) given the landmarks. It is NaN for a Learner.
	Residual float64
	// Error is the sum of two terms relative to r: the root mean square difference between f
	// and the function of the multipliers, and the violation of complementary slackness
	// divided by nu. It is NaN for a Learner.
	Error float64
}

// String returns a summary on several lines.
func (r Report) String() string { return descent.SpaceReport(r).String() }
