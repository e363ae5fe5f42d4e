package revisit

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	mostPasses = 60  // for each ridge
	atRest     = .01 // of the residuals of the splitting
	reach      = 1e3 // the largest ridge, in terms of the one that the search found
	ridges     = 13
	mostIdle   = 2 // ridges without gain
)

// CrossValidated returns the best of falling ridges around the given one for a loss of
// numbers with kinks, by the loss of each fold while it is held out: folds have one block
// each, and all the same rows but not the same held out. Visited is called after each visit;
// a search that is stopped returns the ridge it was given.
func CrossValidated(folds []*Solver, around float64, visited func(*Solver), stopped func() bool) float64 {
	var tried curve
	for k := range ridges {
		t := trial{ridge: reach * around * math.Pow(10, -float64(k)/2)}
		for _, v := range folds {
			v.Ridge = t.ridge
			for p := 0; p < mostPasses && (p < 3 || v.Residual() > atRest) && !stopped(); p++ {
				v.Visit(0)
				v.Advance()
				visited(v)
			}
			v.FitConstant()
			t.add(v)
		}
		if stopped() {
			return around
		}
		if tried = append(tried, t); k-tried.least() > mostIdle {
			break
		}
	}
	return tried.best()
}

// trial is what a ridge does to each row while it is held out.
type trial struct {
	ridge          float64
	losses, slopes []float64
}

// add takes in the rows that v is not trained on.
func (t *trial) add(v *Solver) {
	risk, scores := v.HeldOut()
	for i := range scores.Rows {
		value, slope := 0.0, 0.0
		for o, y := range compute.Row(risk.Y, i) {
			f, l := compute.Row(scores, i)[o], risk.Of(o)
			value += l.Value(f, y)
			slope += l.Derivative(f, y)
		}
		w := risk.Weights.At(i)
		t.losses, t.slopes = append(t.losses, w*value), append(t.slopes, w*slope)
	}
}

// fair reports whether the constant, which is right for the rows trained on, is right for
// those held out as well, by twice the standard error: whether a quantile covers as many.
func (t *trial) fair() bool {
	mean, noise := meanOf(t.slopes)
	return math.Abs(mean) <= 2*noise
}

type curve []trial

// least returns the trial of the least loss.
func (c curve) least() int {
	best := 0
	for k := range c {
		if compute.Mean(c[k].losses) < compute.Mean(c[best].losses) {
			best = k
		}
	}
	return best
}

// best returns the largest ridge whose loss is above the least, of ridges that are fair,
// by less than the standard error of the difference.
func (c curve) best() float64 {
	var fair curve
	for _, t := range c {
		if t.fair() {
			fair = append(fair, t)
		}
	}
	if fair == nil {
		fair = c
	}
	least := fair[fair.least()]
	for _, t := range fair {
		difference := make([]float64, len(t.losses))
		for i := range difference {
			difference[i] = t.losses[i] - least.losses[i]
		}
		if mean, noise := meanOf(difference); mean <= noise {
			return t.ridge
		}
	}
	return least.ridge
}

// meanOf returns the mean of v and its standard error.
func meanOf(v []float64) (mean, noise float64) {
	mean = compute.Mean(v)
	square := 0.0
	for _, x := range v {
		square += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(square) / float64(len(v))
}
