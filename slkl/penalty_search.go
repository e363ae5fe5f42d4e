package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/search"
)

// penaltySearch selects a penalty as a fraction of PenaltyMax.
type penaltySearch interface {
	over() bool
	fraction() float64     // the next trial
	add(err, kept float64) // the error of the trial and the fraction of active columns
	// selected returns the selected fraction, and whether it is at an end of the search.
	selected() (fraction float64, edge bool)
}

// sparseFirst descends a grid and selects the penalty with the lowest error.
type sparseFirst struct {
	grid     []float64
	at       int
	stopping *search.EarlyStopping // of indices of the grid
}

// cvGain is the fraction of the error that a trial must gain to count as progress.
const cvGain = 1e-3

func newSparseFirst(grid []float64, patience int) *sparseFirst {
	return &sparseFirst{grid: grid, stopping: search.NewEarlyStopping(-1, patience, cvGain)}
}

func (s *sparseFirst) over() bool        { return s.at == len(s.grid) || s.stopping.Over() }
func (s *sparseFirst) fraction() float64 { return s.grid[s.at] }

func (s *sparseFirst) add(err, _ float64) {
	s.stopping.Add(float64(s.at), err)
	s.at++
}

func (s *sparseFirst) selected() (fraction float64, edge bool) {
	best := int(s.stopping.Best())
	if best < 0 {
		return fallback, false
	}
	return s.grid[best], best == 0 || best == len(s.grid)-1
}

const (
	// errorLoss bounds the loss of a sparser model, as a fraction of the error, or of the explained
	// error if that is smaller.
	errorLoss = 0.01
	// mostKept is the fraction of active columns above which a penalty is not worth its bias.
	mostKept = 0.9
	// densestStep bounds the search for denser models, in powers of ten. A smaller penalty is negligible
	// compared with the norm.
	densestStep = 3
)

// denseFirst starts where the penalty removes half of the columns of ridge regression. It proceeds to
// sparser models while the error is within errorLoss. If the error is too large at the start, it
// proceeds to denser models while they remove enough columns.
type denseFirst struct {
	at, best int     // exponents of the fraction 10^-at; best is −1 at first
	densest  int     // last exponent
	lowest   float64 // lowest error, at first of ridge regression
	base     float64 // error of the constant
	failed   bool    // whether a penalty was too large
	done     bool
}

func newDenseFirst(onset, lowest, base float64) *denseFirst {
	at := int(max(0, math.Floor(-math.Log10(max(onset, 1e-16)))))
	return &denseFirst{at: at, best: -1, densest: at + densestStep, lowest: lowest, base: base}
}

func (s *denseFirst) over() bool        { return s.done }
func (s *denseFirst) fraction() float64 { return math.Pow(10, -float64(s.at)) }

func (s *denseFirst) add(err, kept float64) {
	s.lowest = min(s.lowest, err)
	good := err <= s.lowest+errorLoss*max(0, min(s.lowest, s.base-s.lowest))
	sparse := kept <= mostKept
	if good && sparse {
		s.best = s.at
	}
	s.failed = s.failed || !good
	switch {
	case good && !s.failed && s.at > 0:
		s.at--
	case !good && sparse && s.best < 0 && s.at < s.densest:
		s.at++
	default:
		s.done = true
	}
}

// selected returns 0 for ridge regression if no penalty is good enough.
func (s *denseFirst) selected() (fraction float64, edge bool) {
	if s.best < 0 {
		return 0, s.done
	}
	return math.Pow(10, -float64(s.best)), false
}
