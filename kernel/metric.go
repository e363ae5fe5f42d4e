package kernel

import "fmt"

// Metric says what linear map of the rows the search for a kernel may learn. What it learns
// is kept where it is better than the best kernel without one by more than a standard error,
// on rows that it was not learned from. Of sparse rows none is learned: to ask for
// one there is rkhs.ErrOption.
//
// Columns of 3 to 32 distinct values may be codes of categories: the search compares them one-hot
// encoded (OneHot) too, and then learns the metric of what they become, but for FullMetric.
type Metric int

const (
	// AutoMetric compares weights of the columns and full matrices.
	AutoMetric Metric = iota
	// NoMetric leaves the columns as given, or at equal scales.
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
