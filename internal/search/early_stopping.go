package search

import "math"

// EarlyStopping tracks the value with the lowest error in a sequence and ends the search
// when the error stops falling.
type EarlyStopping struct {
	patience int
	gain     float64
	best     float64 // value with the lowest error
	least    float64
	idle     int // consecutive values that did not lower the error by the fraction gain
}

// NewEarlyStopping returns an EarlyStopping that ends after patience consecutive values
// without lowering the error by the fraction gain. Best returns fallback until an error
// is finite.
func NewEarlyStopping(fallback float64, patience int, gain float64) *EarlyStopping {
	return &EarlyStopping{patience: patience, gain: gain, best: fallback, least: math.Inf(1)}
}

// Add records the error of a value.
func (s *EarlyStopping) Add(value, err float64) {
	s.idle++
	if err < s.least*(1-s.gain) {
		s.idle = 0
	}
	if err < s.least {
		s.best, s.least = value, err
	}
}

// Best returns the value with the lowest error so far, the first one if errors are equal.
func (s *EarlyStopping) Best() float64 { return s.best }

// Least returns the lowest error so far, +Inf before the first.
func (s *EarlyStopping) Least() float64 { return s.least }

// Over reports whether the search has ended.
func (s *EarlyStopping) Over() bool { return s.idle >= s.patience }
