package rkhs

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Calibration describes how the probabilities of a classifier or the prediction intervals of
// a regression model were calibrated on held-out rows. It is zero for a model without
// calibration.
type Calibration struct {
	// Method is the calibration method. For probabilities it is "sigmoid" (Platt),
	// "spline" (a sigmoid of a monotone spline of the score), "isotonic" or "softmax"
	// (scaled and shifted), with the suffix " of sums" if scores of pairs of labels are summed.
	// For intervals it is "constant width", "spread by prediction" or "spread by inputs".
	Method string
	// Rows is the number of rows used for the calibration.
	Rows int
	// LogLoss is the cross-validated mean of −log P(true label).
	LogLoss float64
	// Coverage is the cross-validated fraction of targets inside intervals of coverage .9, and
	// Width is the mean width of these intervals. Both have one element per output.
	Coverage, Width []float64
}

// Clone returns a deep copy.
func (c Calibration) Clone() Calibration {
	c.Coverage, c.Width = slices.Clone(c.Coverage), slices.Clone(c.Width)
	return c
}

// Probabilistic is a Classifier that predicts probabilities.
type Probabilistic interface {
	Classifier
	// Proba returns the probability of each label, n×K in the order of Labels. Rows sum to
	// one. The error wraps ErrNoCalibration if the model has no calibration.
	Proba(x mat.Matrix) (*mat.Dense, error)
}

// Intervaled is a Model that predicts intervals.
type Intervaled interface {
	Model
	// Interval returns lower and upper bounds, both n×q, that cover a target with probability
	// coverage, between 0 and 1. The error wraps ErrNoCalibration if the model has no calibration,
	// and ErrOption if the calibration has too few rows for the coverage.
	Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error)
}

// String returns the method, the number of rows, and the log loss or the coverage and width,
// in one line. It returns "" for a zero Calibration.
func (c Calibration) String() string {
	if c.Method == "" {
		return ""
	}
	text := c.Method
	if c.Rows > 0 {
		text += ", " + summary.Count(c.Rows, "row")
	}
	if c.LogLoss > 0 {
		text += fmt.Sprintf(", log loss %.4g", c.LogLoss)
	}
	if len(c.Coverage) > 0 {
		text += fmt.Sprintf(", 90 %% intervals cover %s, width %s", summary.Numbers(c.Coverage), summary.Numbers(c.Width))
	}
	return text
}
