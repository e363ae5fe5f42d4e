package rng

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFloat64IsUniform(t *testing.T) {
	s := New(1, "uniform", 0)
	counts := make([]int, 1000)
	for range 1000000 {
		v := s.Float64()
		if v < 0 || v >= 1 || v*(1<<53) != math.Trunc(v*(1<<53)) {
			t.Fatalf("drew %v, want a multiple of 2⁻⁵³ in [0, 1)", v)
		}
		counts[int(v*1000)]++
	}
	checkEven(t, "Float64", counts)
}

func TestIntNIsUniform(t *testing.T) {
	s := New(1, "integers", 0)
	for _, n := range []int{2, 3, 64, 1000} {
		counts := make([]int, n)
		for range 200 * n {
			counts[s.IntN(n)]++
		}
		checkEven(t, "IntN", counts)
	}
}

// All 4! orders of 4 elements have equal frequencies.
func TestOrdersAreUniform(t *testing.T) {
	s := New(1, "orders", 0)
	for name, draw := range map[string]func() []int{
		"Perm": func() []int { return s.Perm(4) },
		"Shuffle": func() []int {
			p := []int{0, 1, 2, 3}
			s.Shuffle(4, func(i, j int) { p[i], p[j] = p[j], p[i] })
			return p
		},
		"Sample": func() []int { return s.Sample(4, 4) },
	} {
		checkEven(t, name, countOutcomes(draw, 4, 24, 24000))
	}
}

// All 6·5·4 ordered samples of 3 from 6 have equal frequencies.
func TestSampleIsUniform(t *testing.T) {
	s := New(1, "sample", 0)
	checkEven(t, "Sample", countOutcomes(func() []int { return s.Sample(6, 3) }, 6, 120, 60000))
}

// countOutcomes counts the draws of each outcome, including outcomes with count 0. An
// outcome is a sequence of digits in the given base.
func countOutcomes(draw func() []int, base, outcomes, draws int) []int {
	seen := map[int]int{}
	for range draws {
		key := 0
		for _, d := range draw() {
			key = key*base + d
		}
		seen[key]++
	}
	counts := make([]int, max(outcomes, len(seen)))
	i := 0
	for _, c := range seen {
		counts[i] = c
		i++
	}
	return counts
}

func TestSampleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		j := rapid.IntRange(0, k).Draw(t, "j")
		seed := rapid.Uint64().Draw(t, "seed")
		sample := New(seed, "sample", 0).Sample(n, k)
		if len(sample) != k {
			t.Fatalf("%d numbers, want %d", len(sample), k)
		}
		if !slices.Equal(sample[:j], New(seed, "sample", 0).Sample(n, j)) {
			t.Fatalf("the sample of %d is not the start of the sample of %d", j, k)
		}
		sorted := slices.Sorted(slices.Values(sample))
		if len(slices.Compact(sorted)) != k {
			t.Fatalf("%v has duplicates", sample)
		}
		if k > 0 && (sorted[0] < 0 || sorted[k-1] >= n) {
			t.Fatalf("%v leaves [0, %d)", sample, n)
		}
	})
}

// The population is too large for any memory.
func TestSampleMemoryIsThatOfTheSample(t *testing.T) {
	sample := New(5, "sample", 0).Sample(math.MaxInt, 100)
	if m := slices.Max(sample); m < math.MaxInt/2 {
		t.Errorf("the largest of 100 is %d", m)
	}
}

func TestSamplePanics(t *testing.T) {
	for _, c := range [][2]int{{3, 4}, {3, -1}, {-1, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Sample(%d, %d) did not panic", c[0], c[1])
				}
			}()
			New(0, "", 0).Sample(c[0], c[1])
		}()
	}
}

func BenchmarkFloat64(b *testing.B) {
	s := New(1, "benchmark", 0)
	for b.Loop() {
		s.Float64()
	}
}

func BenchmarkNormFloat64(b *testing.B) {
	s := New(1, "benchmark", 0)
	for b.Loop() {
		s.NormFloat64()
	}
}

func BenchmarkSample(b *testing.B) {
	s := New(1, "benchmark", 0)
	for b.Loop() {
		s.Sample(60000, 1000)
	}
}

func BenchmarkHash(b *testing.B) {
	for i := uint64(0); b.Loop(); i++ {
		Hash(1, "benchmark", i)
	}
}
