package kernel

import (
	"math"
	"testing"
)

// Two units in the last place: one of s, half of the sum, half of the product.
func TestLog1pRatio(t *testing.T) {
	for _, hi := range []float64{0x1p-900, 0.3, 1, 7} {
		for r := 1.0; r*hi > 1e-300 && r > 1e-300; r *= 0.9973 {
			lo := r * hi
			if got, want := log1pRatio(lo, hi), math.Log1p(lo/hi); math.Abs(got-want) > 4.5e-16*want {
				t.Fatalf("log(1 + %g/%g) = %v, want %v", lo, hi, got, want)
			}
		}
	}
}
