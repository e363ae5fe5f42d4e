package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/choose"
)

// penaltySearch goes from one penalty to the next, as fractions of the smallest whose
// solution is zero.
type penaltySearch interface {
	over() bool
	fraction() float64     // the one to try next
	add(err, kept float64) // tells its error, and the fraction of the columns in its model
	// choice returns the fraction to take, and whether the search ended there for want of
	// others.
	choice() (fraction float64, edge bool)
}

// sparseFirst goes down a grid, and takes the penalty of the least error.
type sparseFirst struct {
	grid     []float64
	at       int
	stopping *choose.EarlyStopping // of places on the grid
}

// cvGain is the fraction of the error that a penalty must gain on those before, as many of
// them in a row as the search has patience for.
const cvGain = 1e-3

func newSparseFirst(grid []float64, patience int) *sparseFirst {
	return &sparseFirst{grid: grid, stopping: choose.NewEarlyStopping(-1, patience, cvGain)}
}

func (s *sparseFirst) over() bool        { return s.at == len(s.grid) || s.stopping.Over() }
func (s *sparseFirst) fraction() float64 { return s.grid[s.at] }

func (s *sparseFirst) add(err, _ float64) {
	s.stopping.Add(float64(s.at), err)
	s.at++
}

func (s *sparseFirst) choice() (fraction float64, edge bool) {
	best := int(s.stopping.Best())
	if best < 0 {
		return fallback, false
	}
	return s.grid[best], best == 0 || best == len(s.grid)-1
}

// denseFirst begins where the penalty begins to take columns out of the model of ridge
// regression, whose error is known, and goes on to sparser models while the error stays
// within errorLoss; where it does not from the first, to denser ones while these leave out
// enough.
type denseFirst struct {
	at, best int // negative decimal logarithms of fractions; best is −1 if none
	densest  int // the last place that is tried
	least    float64
	base     float64 // error of the constant
	failed   bool    // a penalty was too large
	done     bool
}

// errorLoss is what a sparser model may lose: this fraction of the error, or of what the
// model explains if that is less.
const errorLoss = 0.01

// mostKept is the fraction of the columns above which a penalty is not worth its bias: what is
// left to choose from are larger ones, or none.
const mostKept = 0.9

// denserPlaces is how far the search goes from where it begins to denser models. After so
// many powers of ten the penalty counts for nothing beside the norm.
const denserPlaces = 3

func newDenseFirst(onset, least, base float64) *denseFirst {
	at := int(max(0, math.Floor(-math.Log10(max(onset, 1e-16)))))
	return &denseFirst{at: at, best: -1, densest: at + denserPlaces, least: least, base: base}
}

func (s *denseFirst) over() bool        { return s.done }
func (s *denseFirst) fraction() float64 { return math.Pow(10, -float64(s.at)) }

func (s *denseFirst) add(err, kept float64) {
	s.least = min(s.least, err)
	good := err <= s.least+errorLoss*max(0, min(s.least, s.base-s.least))
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

// choice returns the fraction 0 where no penalty is good enough: ridge regression.
func (s *denseFirst) choice() (fraction float64, edge bool) {
	if s.best < 0 {
		return 0, s.done
	}
	return math.Pow(10, -float64(s.best)), false
}
