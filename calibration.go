package rkhs

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Calibration says how the probabilities of a classifier, or the prediction intervals of a
// regression, were made: by what was predicted at rows that were not learned from. It is zero
// where there are none.
type Calibration struct {
	// Method is "sigmoid" (Platt), "spline" (a sigmoid of a monotone spline of the score),
	// "isotonic" or "softmax" (scaled and shifted) for probabilities, " of sums" where scores of pairs
	// of labels are summed; "constant width", "spread by prediction" or "spread by inputs" for intervals.
	Method string
	// Rows is the number of rows that it was found on.
	Rows int
	// LogLoss is the mean of −log P of what came true, of probabilities, in cross-validation on
	// those rows.
	LogLoss float64
	// Coverage is the fraction of the targets of each output inside of intervals of level .9, and
	// Width the mean width of these, both in cross-validation on those rows.
	Coverage, Width []float64
}

// Clone returns a copy that shares nothing.
func (c Calibration) Clone() Calibration {
	c.Coverage, c.Width = slices.Clone(c.Coverage), slices.Clone(c.Width)
	return c
}

// Probabilistic is a Classifier with probabilities.
type Probabilistic interface {
	Classifier
	// Proba returns the probability of each label, n×K in the order of Labels. Rows sum to one.
	// The error wraps ErrUncalibrated where there are none.
	Proba(x mat.Matrix) (*mat.Dense, error)
}

// Intervaled is a Model with prediction intervals.
type Intervaled interface {
	Model
	// Interval returns the ends, n×q, of intervals that cover a target with a probability of the
	// given level, between 0 and 1. The error wraps ErrUncalibrated where there are none, and
	// ErrOption for a level beyond what the rows of the calibration can tell.
	Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error)
}

// String returns the method, the rows, and the log loss or the coverage and width, in one line. It is
// empty without a calibration.
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
		text += fmt.Sprintf(", level .9 covers %s, width %s", summary.Numbers(c.Coverage), summary.Numbers(c.Width))
	}
	return text
}
