package search

import (
	"math"
	"testing"
)

// TestMixingGradient compares the gradient with finite differences.
func TestMixingGradient(t *testing.T) {
	x, y := wave(60, 1, 0.3)
	for _, f := range []Family{GaussianFamily, Matern32Family, Matern12Family} {
		m := newMixing(x, y, nil, f, 1)
		at := []float64{1, 0.2, -0.1, 0.3, 0.9, 0, 0.1, -0.2, 1.1, math.Log(0.1)}
		gradient, none := make([]float64, len(at)), make([]float64, len(at))
		m.value(at, gradient)
		for i := range at {
			const h = 1e-5
			at[i] += h
			up := m.value(at, none)
			at[i] -= 2 * h
			down := m.value(at, none)
			at[i] += h
			if want := (up - down) / (2 * h); math.Abs(want-gradient[i]) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("family %d: derivative %d is %v, by differences %v", f, i, gradient[i], want)
			}
		}
	}
}
