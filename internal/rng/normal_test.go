package rng

import (
	"math"
	"slices"
	"testing"
)

// math.Log documents an error of less than 1 ulp.
func TestLnAgainstMathLog(t *testing.T) {
	s := New(1, "ln", 0)
	check := func(x float64) {
		want := math.Log(x)
		if ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want); math.Abs(ln(x)-want) > 3*ulp {
			t.Fatalf("ln(%x) = %x, want %x", x, ln(x), want)
		}
	}
	for range 200000 {
		check(s.Float64() + 0x1p-60)
		check(math.Ldexp(0.5+s.Float64(), -s.IntN(108)))
		check(1 - s.Float64()*0x1p-20)
	}
	for _, x := range []float64{1, math.Nextafter(1, 0), math.Nextafter(1, 2), 0x1p-106, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0), math.Nextafter(math.Sqrt2/2, 1)} {
		check(x)
	}
}

// Kolmogorov–Smirnov test against the normal distribution. sqrt(n)·D > 2.2 has probability
// 1e-4.
func TestNormalDistribution(t *testing.T) {
	const n = 200000
	s := New(1, "normal", 0)
	x := make([]float64, n)
	for i := range x {
		x[i] = s.NormFloat64()
	}
	slices.Sort(x)
	d := 0.0
	for i, v := range x {
		p := math.Erfc(-v/math.Sqrt2) / 2
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	if k := d * math.Sqrt(n); k > 2.2 {
		t.Errorf("sqrt(n)·D = %.2f", k)
	}
}

func TestNormalTails(t *testing.T) {
	const n = 1000000
	s := New(2, "normal", 0)
	beyond := [2]int{}
	for range n {
		switch v := s.NormFloat64(); {
		case v < -4:
			beyond[0]++
		case v > 4:
			beyond[1]++
		}
	}
	want := n * math.Erfc(4/math.Sqrt2) / 2
	for i, c := range beyond {
		if z := (float64(c) - want) / math.Sqrt(want); math.Abs(z) > 5 {
			t.Errorf("side %d: %d draws beyond 4, want %.0f", i, c, want)
		}
	}
}

// Hash of the bits of many normals, from the second implementation. A single fused product
// or different rounding would change it.
func TestNormalBitsAreFrozen(t *testing.T) {
	s := New(11, "bits", 0)
	h := uint64(0)
	for range 20000 {
		h = absorb(h, math.Float64bits(s.NormFloat64()))
	}
	if h != 0x2287d70fbd0e7fd2 {
		t.Errorf("hash of the bits is %#x", h)
	}
}
