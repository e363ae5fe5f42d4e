// Package report prints the tables and draws the figures of the papers.
package report

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// Sample holds one quantity over several runs.
type Sample []float64

// Add appends the value of one more run.
func (s *Sample) Add(v float64) { *s = append(*s, v) }

// Mean returns the mean over the runs, NaN without any.
func (s Sample) Mean() float64 { return stat.Mean(s, nil) }

// Std returns the standard deviation over the runs, with n−1 in the
// denominator, and 0 for a single run.
func (s Sample) Std() float64 {
	if len(s) < 2 {
		return 0
	}
	return stat.StdDev(s, nil)
}

// Text returns "mean±std" with so many decimals, the std left out for a single
// run, and "" without any.
func (s Sample) Text(decimals int) string {
	switch len(s) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%.*f", decimals, s[0])
	}
	return fmt.Sprintf("%.*f±%.*f", decimals, s.Mean(), decimals, s.Std())
}
