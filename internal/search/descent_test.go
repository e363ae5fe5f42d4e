package search

import (
	"math"
	"testing"
)

// Descent reaches the minimum even if gradients are small.
func TestDescentOfSmallGradients(t *testing.T) {
	centre := []float64{3, -2}
	value := func(at, gradient []float64) float64 {
		v := 0.0
		for i, c := range centre {
			gradient[i] = 0.01 * (at[i] - c)
			v += 0.005 * (at[i] - c) * (at[i] - c)
		}
		return v
	}
	d := descent{value: value, steps: 15, enough: leastGain, first: firstStep, longest: longestStep, stopped: func() bool { return false }}
	at := []float64{0, 0}
	d.minimise(at)
	for i, c := range centre {
		if math.Abs(at[i]-c) > 0.1 {
			t.Errorf("coordinate %d ends at %v, want %v", i, at[i], c)
		}
	}
}
