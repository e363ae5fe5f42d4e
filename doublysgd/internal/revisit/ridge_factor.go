package revisit

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

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
