package rng

import (
	"encoding/binary"

	"golang.org/x/exp/rand" //lint:ignore SA1019 its generator determines the bits of all results
)

// Stream is a sequence of random numbers. It implements math/rand/v2.Source, so the
// distributions of gonum accept it. It is not safe for concurrent use; use a separate block
// for each goroutine. A copy of a Stream continues independently from the same position.
type Stream struct {
	src rand.PCGSource
}

// New returns a new stream with the address (seed, purpose, block). The upper half of its
// 128-bit state is Hash(seed, purpose, block). The lower half is the same hash with h0 = 1.
func New(seed uint64, purpose string, block uint64) *Stream {
	var state [16]byte
	binary.BigEndian.PutUint64(state[:8], hash(0, seed, purpose, block))
	binary.BigEndian.PutUint64(state[8:], hash(1, seed, purpose, block))
	s := new(Stream)
	if err := s.src.UnmarshalBinary(state[:]); err != nil {
		panic(err) // the state always has the right length
	}
	return s
}

func (s *Stream) draw() *rand.Rand { return rand.New(&s.src) }
