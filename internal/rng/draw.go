package rng

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.src.Uint64() }

// Float64 returns a random number uniform on the multiples of 2⁻⁵³ in [0, 1).
func (s *Stream) Float64() float64 { return s.draw().Float64() }

// IntN returns an integer uniform in [0, n). It panics if n <= 0.
func (s *Stream) IntN(n int) int { return s.draw().Intn(n) }

// Perm returns a uniform permutation of 0 … n−1. It panics if n < 0. O(n).
func (s *Stream) Perm(n int) []int { return s.draw().Perm(n) }

// Shuffle permutes n elements uniformly at random by calls of swap. It panics if n < 0.
// O(n).
func (s *Stream) Shuffle(n int, swap func(i, j int)) { s.draw().Shuffle(n, swap) }

// Sample returns k distinct integers from 0 … n−1; all ordered selections are equally
// likely. Samples are nested: from the same state, Sample(n, j) is the first j elements of
// Sample(n, k). It panics unless 0 <= k <= n. O(k) time and memory for any n.
//
// It performs the first k steps of a Fisher–Yates shuffle and stores only the elements that
// have changed.
func (s *Stream) Sample(n, k int) []int {
	if k < 0 || k > n {
		panic("rng: sample larger than the population")
	}
	moved := make(map[int]int, k)
	at := func(i int) int {
		if v, ok := moved[i]; ok {
			return v
		}
		return i
	}
	sample := make([]int, k)
	for i := range sample {
		j := i + s.IntN(n-i)
		sample[i] = at(j)
		moved[j] = at(i)
	}
	return sample
}
