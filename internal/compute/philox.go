package compute

import "math/bits"

// An Address identifies an infinite sequence of random numbers. Each number is a function
// of the address and its index. Sequences with different seeds, streams or blocks are
// independent.
type Address struct {
	Seed          uint64
	Stream, Block uint32
}

// domain returns the upper half of the counters.
func (a Address) domain() uint64 { return uint64(a.Stream)<<32 | uint64(a.Block) }

// philox returns the 128 random bits of a counter under a key: Philox4x32-10 (Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). Words are
// in little-endian order.
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
