// Package report prints the tables and draws the figures of the papers.
package report

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// Sample holds the values of one quantity over several runs.
type Sample []float64

// Add appends the value of a run.
func (s *Sample) Add(v float64) { *s = append(*s, v) }

// Mean returns the mean over the runs, or NaN if there are no runs.
func (s Sample) Mean() float64 { return stat.Mean(s, nil) }

// Std returns the standard deviation over the runs, with denominator n−1. For a single run it
// returns 0.
func (s Sample) Std() float64 {
	if len(s) < 2 {
		return 0
	}
	return stat.StdDev(s, nil)
}

// Text returns "mean±std" with the given number of decimals. It omits std for a single run and
// returns "" if there are no runs.
func (s Sample) Text(decimals int) string {
	switch len(s) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%.*f", decimals, s[0])
	}
	return fmt.Sprintf("%.*f±%.*f", decimals, s.Mean(), decimals, s.Std())
}
