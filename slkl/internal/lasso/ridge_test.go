package lasso

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// ridgeSums returns sums of random columns, and a norm for them.
func ridgeSums(m int) (*Sums, compute.Upper) {
	random, c := rand.New(rand.NewPCG(5, 6)), compute.NewMatrix(2*m, m)
	for i := range c.Data {
		c.Data[i] = random.NormFloat64()
	}
	s := &Sums{P: compute.NewMatrix(m, m), CY: compute.NewMatrix(m, 2), YY: []float64{1, 1}}
	compute.AddGram(s.P, c, 1)
	compute.Mirror(s.P)
	for i := range s.CY.Data {
		s.CY.Data[i] = random.NormFloat64()
	}
	return s, compute.UpperIn(make([]float64, compute.UpperNumbers(m)), s.P)
}

// Factors above the diagonal of P give what factors in memory of their own give, to the bit, for one noise
// after the other, and leave P as it was to what comes after them: a norm, or a system without a factor.
func TestRidgeWithin(t *testing.T) {
	const m = 130 // more than Cholesky takes at a time
	apart, norm := ridgeSums(m)
	within, _ := ridgeSums(m)
	before := slices.Clone(apart.P.Data)
	var own, done *Ridge = nil, RidgeWithin()
	for _, noise := range []float64{.1, 10, 1e-3} {
		var ok, also bool
		own, ok = apart.Ridge(own, norm, noise, 2)
		done, also = within.Ridge(done, norm, noise, 2)
		if !ok || !also {
			t.Fatalf("noise %v: no factor", noise)
		}
		if !slices.Equal(own.W.Data, done.W.Data) {
			t.Errorf("noise %v: other solutions above the diagonal than apart", noise)
		}
	}
	minus := compute.Upper{N: m, Data: slices.Clone(norm.Data)}
	for i := range minus.Data {
		minus.Data[i] = -minus.Data[i]
	}
	if _, ok := within.Ridge(done, minus, 2, 2); ok {
		t.Error("a system that is not definite has a factor")
	}
	if !slices.Equal(within.P.Data, before) {
		t.Error("what has no factor leaves another P")
	}
	if _, ok := within.Ridge(RidgeWithin(), norm, 1, 2); !ok {
		t.Fatal("no factor")
	}
	apart.AddNorm(norm, 1)
	within.AddNorm(norm, 1)
	if !slices.Equal(within.P.Data, apart.P.Data) {
		t.Error("a norm is added to a factor")
	}
}
