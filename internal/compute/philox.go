package compute

import "math/bits"

// An Address names an endless sequence of random numbers, each of which is
// computed from its index alone: sequences of different seed, stream or block
// are independent.
type Address struct {
	Seed          uint64
	Stream, Block uint32
}

// domain returns what makes the upper half of the counters.
func (a Address) domain() uint64 { return uint64(a.Stream)<<32 | uint64(a.Block) }

// philox returns the 128 bits of a counter under a key, by Philox4x32-10 of
// Salmon, Moraes, Dror and Shaw (Parallel random numbers: as easy as 1, 2, 3,
// 2011). Words are counted from the lowest bits up.
func philox(seed, domain, index uint64) (low, high uint64) {
	c0, c1, c2, c3 := uint32(index), uint32(index>>32), uint32(domain), uint32(domain>>32)
	k0, k1 := uint32(seed), uint32(seed>>32)
	for range 10 {
		h0, l0 := bits.Mul32(0xd2511f53, c0)
		h1, l1 := bits.Mul32(0xcd9e8d57, c2)
		c0, c1, c2, c3 = h1^c1^k0, l1, h0^c3^k1, l0
		k0 += 0x9e3779b9
		k1 += 0xbb67ae85
	}
	return uint64(c1)<<32 | uint64(c0), uint64(c3)<<32 | uint64(c2)
}
