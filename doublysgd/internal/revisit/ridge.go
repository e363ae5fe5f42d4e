package revisit

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
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

// NoiseFactor returns V/(H·s²) of a loss of numbers for normal noise of deviation s, at
// the constant that it is least at: with u for standard normal noise, V is the mean of
// l'², and H that of l'·u/s (Stein's identity).
func NoiseFactor(l loss.Scalar, s float64) float64 {
	const most, steps = 5.0, 400
	u, weight := make([]float64, steps+1), make([]float64, steps+1)
	for i := range u {
		u[i] = most * (2*float64(i)/steps - 1)
		weight[i] = -u[i] * u[i] / 2
	}
	compute.Exp(weight, weight)
	mean := func(of func(u float64) float64) float64 {
		sum, all := 0.0, 0.0
		for i, w := range weight {
			sum += float64(w * of(u[i]))
			all += w
		}
		return sum / all
	}
	low, high := -most*s, most*s
	for range 40 {
		mid := (low + high) / 2
		if mean(func(u float64) float64 { return l.Derivative(mid+s*u, 0) }) > 0 {
			high = mid
		} else {
			low = mid
		}
	}
	at := (low + high) / 2
	square := mean(func(u float64) float64 { d := l.Derivative(at+s*u, 0); return d * d })
	slope := mean(func(u float64) float64 { return u * l.Derivative(at+s*u, 0) })
	return bounded(square / (slope * s))
}

// LabelFactor is the same for a loss of labels. Where labels are ±1 with probabilities p and
// 1 − p, s² = 4·p·(1 − p). Scores that are log-odds, with the curvature and the variance
// p·(1 − p) up to a factor that the bound of the curvature tells, are 2/s² times as steep as
// those of the squared loss; scores of other losses tend to ±1 too.
func LabelFactor(l loss.Loss, at kernel.Trial) float64 {
	wrong := min(max(at.Wrong, 1/float64(max(at.Rows, 2))), 0.5)
	square := 4 * wrong * (1 - wrong)
	_, probable := l.(loss.Probable)
	_, multi := l.(loss.MultiProbable)
	switch {
	case loss.Kinked(l):
		return bounded(1 / math.Sqrt(square))
	case probable || multi:
		return bounded(l.Curvature() * square)
	}
	return bounded(l.Curvature())
}

// bounded returns a factor of at most a thousand either way, and 1 for none.
func bounded(factor float64) float64 {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return 1
	}
	return min(max(factor, 1e-3), 1e3)
}
