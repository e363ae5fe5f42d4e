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

// CrossValidated returns the best of several falling ridges around the given one for a loss of
// numbers with kinks, by the loss on the held-out rows of each fold. Folds have one block and the
// same rows. It calls visited after each visit. A stopped search returns the given ridge.
func CrossValidated(folds []*Solver, around float64, visited func(*Solver), stopped func() bool) float64 {
	var trials curve
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
		if trials = append(trials, t); k-trials.least() > mostIdle {
			break
		}
	}
	return trials.best()
}

// trial holds the held-out loss of each row for a ridge.
type trial struct {
	ridge          float64
	losses, slopes []float64
}

// add appends the held-out rows of v.
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

// fair reports whether the constant is right for the held-out rows within two standard errors: for a
// quantile, whether its coverage is right.
func (t *trial) fair() bool {
	mean, noise := meanOf(t.slopes)
	return math.Abs(mean) <= 2*noise
}

type curve []trial

// least returns the index of the trial with the lowest loss.
func (c curve) least() int {
	best := 0
	for k := range c {
		if compute.Mean(c[k].losses) < compute.Mean(c[best].losses) {
			best = k
		}
	}
	return best
}

// best returns the largest fair ridge with a loss within one standard error of the lowest.
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

// NoiseFactor returns V/(H·s²) for a loss of numbers and normal noise of standard deviation s at the
// best constant. For standard normal u, V is the mean of l'² and H the mean of l'·u/s (Stein's
// identity).
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

// LabelFactor returns the factor for a loss of labels. Labels ±1 with probabilities p and 1 − p have
// s² = 4·p·(1 − p). Log-odds scores have curvature and variance p·(1 − p), up to a factor given by
// the bound of the curvature, and are 2/s² times as steep as scores of the squared loss. Scores of
// other losses tend to ±1.
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

// bounded limits a factor to [1e-3, 1e3] and replaces an invalid one by 1.
func bounded(factor float64) float64 {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return 1
	}
	return min(max(factor, 1e-3), 1e3)
}
