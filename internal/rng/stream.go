package rng

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/exp/rand"

	"github.com/rkhs-go/rkhs"
)

// stateSize is the length of a marshalled Stream in bytes.
const stateSize = 16

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
	s := new(Stream)
	s.set(hash(0, seed, purpose, block), hash(1, seed, purpose, block))
	return s
}

// MarshalBinary returns the 16 bytes that hold the position of s in its
// sequence: the state of the generator, big-endian. The error is always nil.
func (s *Stream) MarshalBinary() ([]byte, error) {
	return s.src.MarshalBinary()
}

// UnmarshalBinary sets s to the position that MarshalBinary saved. It wraps
// rkhs.ErrFormat, and leaves s as it was, when data is not 16 bytes long.
func (s *Stream) UnmarshalBinary(data []byte) error {
	if len(data) != stateSize {
		return fmt.Errorf("rng: state of %d bytes, want %d: %w", len(data), stateSize, rkhs.ErrFormat)
	}
	s.set(binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:]))
	return nil
}

func (s *Stream) set(high, low uint64) {
	var state [stateSize]byte
	binary.BigEndian.PutUint64(state[:8], high)
	binary.BigEndian.PutUint64(state[8:], low)
	if err := s.src.UnmarshalBinary(state[:]); err != nil {
		panic(err) // only for a state of another length
	}
}

func (s *Stream) draw() *rand.Rand { return rand.New(&s.src) }
