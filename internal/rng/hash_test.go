package rng

import (
	"math"
	"math/bits"
	"testing"
)

// Published first output of SplitMix64 with seed 0, and published FNV-1a test vectors.
func TestMixAndFNVAreThePublishedOnes(t *testing.T) {
	if got := mix(0x9e3779b97f4a7c15); got != 0xe220a8397b1dcdaf {
		t.Errorf("mix = %#x", got)
	}
	for s, want := range map[string]uint64{"": 0xcbf29ce484222325, "foobar": 0x85944171f73967e8} {
		if got := fnv1a(s); got != want {
			t.Errorf("fnv1a(%q) = %#x, want %#x", s, got, want)
		}
	}
}

// Constants from a second implementation in arbitrary-precision integers.
func TestHashKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		purpose string
		i, want uint64
	}{
		{0, "", 0, 0x116240f4873113bb},
		{1, "landmarks", 0, 0xbebc4910eb5b16a3},
		{1, "landmarks", 1, 0x9b2210588cfbf0ef},
		{math.MaxUint64, "order", math.MaxUint64, 0xb480ae403ddf8bbe},
	} {
		if got := Hash(c.seed, c.purpose, c.i); got != c.want {
			t.Errorf("Hash(%d, %q, %d) = %#x, want %#x", c.seed, c.purpose, c.i, got, c.want)
		}
	}
}

func TestHashAvalanche(t *testing.T) {
	const n = 4096
	for bit := range 64 {
		bySeed, byIndex := 0, 0
		for i := range uint64(n) {
			h := Hash(i, "avalanche", i)
			bySeed += bits.OnesCount64(h ^ Hash(i^1<<bit, "avalanche", i))
			byIndex += bits.OnesCount64(h ^ Hash(i, "avalanche", i^1<<bit))
		}
		for name, flipped := range map[string]int{"seed": bySeed, "index": byIndex} {
			if z := fairBits(flipped, 64*n); math.Abs(z) > 5 {
				t.Errorf("bit %d of the %s: %d of %d bits flip, %.1f sigma from half", bit, name, flipped, 64*n, z)
			}
		}
	}
}

func TestHashFoldsAreEven(t *testing.T) {
	const n = 100000
	for _, folds := range []int{2, 5, 10} {
		counts := make([]int, folds)
		for i := range uint64(n) {
			counts[Hash(7, "folds", i)%uint64(folds)]++
		}
		checkEven(t, "folds", counts)
	}
}

// fairBits returns the deviation of ones from total/2, in standard deviations for fair
// bits.
func fairBits(ones, total int) float64 {
	return (float64(ones) - float64(total)/2) / math.Sqrt(float64(total)/4)
}

// checkEven fails if the chi-squared statistic for equal counts is more than 5 standard
// deviations from its mean.
func checkEven(t *testing.T, name string, counts []int) {
	t.Helper()
	total := 0
	for _, c := range counts {
		total += c
	}
	want, chi2 := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		chi2 += (float64(c) - want) * (float64(c) - want) / want
	}
	df := float64(len(counts) - 1)
	if z := (chi2 - df) / math.Sqrt(2*df); math.Abs(z) > 5 {
		t.Errorf("%s: chi-squared %.1f with %.0f degrees of freedom (%.1f sigma): %v", name, chi2, df, z, counts)
	}
}
