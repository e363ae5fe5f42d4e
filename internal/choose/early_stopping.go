package choose

import "math"

// EarlyStopping keeps the value of the least error among those that a search comes
// to one after another, and ends the search when the error no longer falls.
type EarlyStopping struct {
	patience int
	gain     float64
	best     float64 // the value of the least error
	least    float64
	idle     int // values in a row that did not lower the error by the fraction gain
}

// NewEarlyStopping begins a search that ends after so many values in a row that have
// not lowered the error by the fraction gain. The fallback is best while no error was
// a number.
func NewEarlyStopping(fallback float64, patience int, gain float64) *EarlyStopping {
	return &EarlyStopping{patience: patience, gain: gain, best: fallback, least: math.Inf(1)}
}

// Add tells the error of a value.
func (s *EarlyStopping) Add(value, err float64) {
	s.idle++
	if err < s.least*(1-s.gain) {
		s.idle = 0
	}
	if err < s.least {
		s.best, s.least = value, err
	}
}

// Best returns the value of the least error so far, the first of several.
func (s *EarlyStopping) Best() float64 { return s.best }

// Least returns the least error so far, +Inf before the first.
func (s *EarlyStopping) Least() float64 { return s.least }

// Over reports whether the search is at its end.
func (s *EarlyStopping) Over() bool { return s.idle >= s.patience }
