package calibrate

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// descend minimises a convex loss of theta in place by Newton steps, each halved until it descends. newton
// returns the step and the decrease that it predicts. theta[0] is at least floor.
func descend(theta []float64, floor float64, loss func(theta []float64) float64, newton func() (step []float64, gain float64)) {
	const smallest = 1e-10
	value, next := loss(theta), make([]float64, len(theta))
	for range 100 {
		step, gain := newton()
		if !(gain > 1e-12*(1+value)) {
			return
		}
		size, lower := 1.0, value
		for ; size > smallest; size /= 2 {
			for j, v := range theta {
				next[j] = v + float64(size*step[j])
			}
			next[0] = max(floor, next[0])
			if lower = loss(next); lower < value {
				break
			}
		}
		if size <= smallest {
			return
		}
		copy(theta, next)
		value = lower
	}
}

// logistic returns 1/(1 + exp(−v)), bounded away from 0 and 1.
func logistic(v float64) float64 {
	if v < 0 {
		e := compute.ExpOne(max(v, -700))
		return e / (1 + e)
	}
	return 1 / (1 + compute.ExpOne(-min(v, 36)))
}

// crossEntropy returns −t·log p − (1 − t)·log(1 − p) for p = logistic(v).
func crossEntropy(v, t float64) float64 {
	return math.Log1p(compute.ExpOne(-min(math.Abs(v), 700))) + max(v, 0) - float64(t*v)
}
