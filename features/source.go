package features

import (
	"github.com/rkhs-go/rkhs/internal/compute"
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
