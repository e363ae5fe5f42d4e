package rng

import (
	"encoding/binary"

	"golang.org/x/exp/rand"
)

// Stream is a sequence of random numbers. It is a math/rand/v2.Source, so the
// distributions of gonum take it. It is not safe for concurrent use: give each
// goroutine a stream of its own block. A copy of a Stream goes on independently
// from the same position.
type Stream struct {
	src rand.PCGSource
}

// New returns the stream of (seed, purpose, block), at its start. Its 128 bits
// of state are Hash(seed, purpose, block) and, below it, the same chain begun
// at h0 = 1.
func New(seed uint64, purpose string, block uint64) *Stream {
	var state [16]byte
	binary.BigEndian.PutUint64(state[:8], hash(0, seed, purpose, block))
	binary.BigEndian.PutUint64(state[8:], hash(1, seed, purpose, block))
	s := new(Stream)
	if err := s.src.UnmarshalBinary(state[:]); err != nil {
		panic(err) // only for a state of another length
	}
	return s
}

func (s *Stream) draw() *rand.Rand { return rand.New(&s.src) }
