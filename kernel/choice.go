package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Trial is a kernel and a ridge that a search compared, and the error that they have on
// rows not learned from.
type Trial struct {
	Kernel Kernel
	// Noise is n·lam, the ridge of kernel ridge regression for a sample of n rows: what
	// does not depend on their number. It is the variance of the noise of the targets
	// where the kernel is the covariance of the function, in the same unit.
	Noise float64
	// Rows is the number of rows that it was compared on.
	Rows int
	// Error is the leave-one-out error: of numbers the mean squared error in units of the
	// variance of the targets, summed over the outputs; of classes the log loss at the
	// sharpness of the scores that suits them best. +Inf where the system was not positive
	// definite to working precision.
	Error float64
	// StandardError is that of the difference to the least error on the same rows, from
	// the differences row by row.
	StandardError float64
	// Wrong is, of classes, the fraction of rows that, left out, are classified wrongly.
	Wrong float64
	// AtEdge says that the bandwidth or the noise is the last that the search may try.
	AtEdge bool
}

// Ridge returns lam of
//
//	min (1/n)·Σ_i (y_i − f(x_i))² + lam·‖f‖²
//
// for n rows: Noise/n.
func (t Trial) Ridge(n int) float64 { return t.Noise / float64(n) }

// Choice tells how a learner found its kernel and its ridge. It is zero where there was
// nothing to find.
type Choice struct {
	// Trial is what was chosen. Its error is that of ridge regression with the features,
	// landmarks or points of the learner where these do not carry every kernel.
	Trial
	// Exact is the best of the trials with the kernel itself: what the learner is held
	// back by its features, landmarks or points is the difference of the errors.
	Exact Trial
	// Curve holds all trials with the kernel itself, those on most rows first, and these
	// from the least error on.
	Curve []Trial
	// Stopped says that the search was stopped, and took the best so far.
	Stopped bool
}

// String returns the kernel, the ridge and the error in one line.
func (t Trial) String() string {
	if t.Kernel == nil {
		return ""
	}
	text := fmt.Sprintf("%s, noise %.4g, leave-one-out error %.4g", summary.Short(t.Kernel), t.Noise, t.Error)
	if t.StandardError > 0 {
		text += fmt.Sprintf(" ± %.2g", t.StandardError)
	}
	if t.AtEdge {
		text += ", at the edge of the search"
	}
	return text + ", " + summary.Count(t.Rows, "row")
}

// String returns the selected trial and the number of candidates in one line. It is empty if there was
// nothing to find.
func (c Choice) String() string {
	text := c.Trial.String()
	if text == "" {
		return ""
	}
	if len(c.Curve) > 0 {
		text += fmt.Sprintf(", best of %s", summary.Count(len(c.Curve), "trial"))
	}
	if c.Stopped {
		text += ", search stopped"
	}
	return text
}
