package search

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestColumnWeightsGradient compares the gradient with finite differences.
func TestColumnWeightsGradient(t *testing.T) {
	x, y := wave(60, 1, 0.3)
	two := compute.NewMatrix(60, 2)
	for i := range 60 {
		two.Data[2*i], two.Data[2*i+1] = y.Data[i], x.Data[3*i+2]
	}
	weights := make([]float64, 60)
	for i := range weights {
		weights[i] = 0.5 + float64(i%3)
	}
	for _, f := range AllFamilies {
		c := newColumnWeights(x, two, weights, f, 1)
		at := []float64{0.3, -0.5, 0.1, math.Log(0.1)}
		gradient, none := make([]float64, 4), make([]float64, 4)
		c.value(at, gradient)
		for i := range at {
			const h = 1e-5
			at[i] += h
			up := c.value(at, none)
			at[i] -= 2 * h
			down := c.value(at, none)
			at[i] += h
			if want := (up - down) / (2 * h); math.Abs(want-gradient[i]) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("family %d: derivative %d is %v, by differences %v", f, i, gradient[i], want)
			}
		}
	}
}
