package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Trial is a kernel and a ridge that a search compared, with their error on unseen rows.
type Trial struct {
	Kernel Kernel
	// Noise is n·lam, the ridge of kernel ridge regression scaled by the number n of rows, so that it does not depend
	// on n. It is the variance of the noise of the targets if the kernel is the covariance of the function.
	Noise float64
	// Rows is the number of rows of the comparison.
	Rows int
	// Error is the leave-one-out error: the mean squared error in units of the variance of the targets, summed over the
	// outputs, or for classes the log loss of the scores at their best sharpness. It is +Inf if the system was not
	// positive definite to working precision.
	Error float64
	// StandardError is the standard error of the difference to the error of the best trial on the same rows.
	StandardError float64
	// Wrong is the leave-one-out fraction of misclassified rows, for classes.
	Wrong float64
	// AtEdge reports whether the bandwidth or the noise is at a bound of the search.
	AtEdge bool
}

// Ridge returns Noise/n, the lam of min (1/n)·Σ_i (y_i − f(x_i))² + lam·‖f‖² for n rows.
func (t Trial) Ridge(n int) float64 { return t.Noise / float64(n) }

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

// SearchResult reports how a learner selected its kernel and its ridge. It is zero if there was no search.
type SearchResult struct {
	// Trial is the selected trial. Its error is the error of ridge regression with the features or landmarks of the
	// learner, if these approximate the kernel.
	Trial
	// Exact is the best trial with the kernel itself. The difference of the errors is the cost of the approximation.
	Exact Trial
	// Curve holds all trials with the kernel itself, except kernels with a learned metric, sorted by decreasing number of
	// rows, then from the best. The best trial has the lowest sum of the logarithm of its error and .05 times the
	// logarithm of its error at extrapolation: on the outermost rows in six random directions, predicted from the others.
	Curve []Trial
	// Stopped reports whether the search ended early with the best trial so far.
	Stopped bool
}

// String returns the selected trial and the number of candidates in one line. It is empty if there was no search.
func (c SearchResult) String() string {
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

// Metric is the kind of linear map of the rows that the search for a kernel may learn. The search keeps the map if its
// error on held-out rows is lower than the error of the best kernel without a map by more than one standard error.
// Requesting a map for sparse rows is rkhs.ErrOption.
//
// Columns with 3 to 32 distinct values may be codes of categories. The search also tries them one-hot encoded (see
// OneHot), and skewed columns as normal scores and as signed logarithms (see Warped). It learns a map of the resulting
// rows, except for FullMetric.
type Metric int

const (
	// AutoMetric compares weights of the columns and full matrices.
	AutoMetric Metric = iota
	// NoMetric leaves the columns unchanged, or at equal scales.
	NoMetric
	// DiagonalMetric gives each column a weight: an ARD kernel.
	DiagonalMetric
	// FullMetric maps rows by a matrix: a Projected kernel.
	FullMetric
)

// Valid reports whether m is one of the constants.
func (m Metric) Valid() bool { return m >= AutoMetric && m <= FullMetric }

func (m Metric) String() string {
	if !m.Valid() {
		return fmt.Sprintf("Metric(%d)", int(m))
	}
	return [...]string{"AutoMetric", "NoMetric", "DiagonalMetric", "FullMetric"}[m]
}
