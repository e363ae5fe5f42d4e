package features

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// A source hands out the random sequences of one block, each to be used once.
// What is drawn in the same order gets the same sequences: the order of draws is
// part of the file format of models.
type source struct {
	seed   uint64
	stream uint32
}

func newSource(seed, block uint64) *source {
	return &source{seed: rng.Hash(seed, "features", block)}
}

func (s *source) next() compute.Address {
	s.stream++
	return compute.Address{Seed: s.seed, Stream: s.stream}
}

// word returns 64 random bits.
func (s *source) word() uint64 {
	at := s.next()
	return rng.Hash(at.Seed, "features of a kernel of the user", uint64(at.Stream))
}

// uniformPoints fills u with independent numbers of (0, 1).
func uniformPoints(u []float64, s *source) {
	compute.Uniforms(u, s.next(), 0)
	for i, v := range u {
		u[i] = max(v, quantile.Least)
	}
}

// randomSigns fills dst with 1 and −1.
func randomSigns(dst []float64, s *source) {
	compute.Uniforms(dst, s.next(), 0)
	for i, u := range dst {
		dst[i] = math.Copysign(1, u-0.5)
	}
}

// permutation returns one of 0 … n−1, all equally likely, by the shuffle of
// Fisher and Yates.
func permutation(n int, s *source) []int {
	u := make([]float64, n)
	compute.Uniforms(u, s.next(), 0)
	p := make([]int, n)
	for i := range p {
		j := int(u[i] * float64(i+1))
		p[i] = p[j]
		p[j] = i
	}
	return p
}
