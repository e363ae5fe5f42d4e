package compute

import (
	"math"
	"math/bits"
)

// Uniforms sets dst to elements first, first+1, … of a random sequence. They are uniform
// on the multiples of 2⁻⁵³ in [0, 1). Elements 2i and 2i+1 are the two halves of the
// Philox4x32-10 output for the counter (i, block, stream) and the key seed.
func Uniforms(dst []float64, at Address, first uint64) { use64.random(use64.uniforms, dst, at, first) }

// Normals sets dst to elements first, first+1, … of a sequence of standard normals.
// Elements 2i and 2i+1 are √(−2·log u)·cos(2πv) and √(−2·log u)·sin(2πv) (Box and
// Muller, 1958). Here u − 2⁻⁵³ and v are elements 2i and 2i+1 of Uniforms. The absolute
// values are at most √(106·log 2) = 8.6.
func Normals(dst []float64, at Address, first uint64) { use64.random(use64.normals, dst, at, first) }

// random calls fill, which starts at a whole counter and requires a multiple of quantum,
// for any range of elements.
func (e *engine[T]) random(fill func(dst []T, seed, domain, index uint64), dst []T, at Address, first uint64) {
	part := func(n int) int {
		scratch := e.buffer(quantum)
		defer scratch.free()
		fill(scratch.data, at.Seed, at.domain(), first/2)
		return copy(dst[:n], scratch.data[first%2:])
	}
	if first%2 != 0 && len(dst) > 0 {
		first += uint64(part(1))
		dst = dst[1:]
	}
	whole := len(dst) &^ (quantum - 1)
	fill(dst[:whole], at.Seed, at.domain(), first/2)
	if dst, first = dst[whole:], first+uint64(whole); len(dst) > 0 {
		part(len(dst))
	}
}

func uniformsGo(dst []float64, seed, domain, index uint64) {
	for i := 0; i < len(dst); i += 2 {
		u, v := philox(seed, domain, index+uint64(i/2))
		dst[i], dst[i+1] = float64(u>>11)*0x1p-53, float64(v>>11)*0x1p-53
	}
}

func normalsGo(dst []float64, seed, domain, index uint64) {
	const magic = 0x1.8p52
	for i := 0; i < len(dst); i += 2 {
		u, v := philox(seed, domain, index+uint64(i/2))
		radius := math.Sqrt(-2 * logGo((float64(u>>11)+1)*0x1p-53, 0))
		// The number of quarter turns is exact, and so is its residual.
		quarters := float64(v>>11) * 0x1p-51
		n := quarters + magic
		sin, cos := quadrant((quarters-(n-magic))*(math.Pi/2), math.Float64bits(n))
		dst[i], dst[i+1] = radius*cos, radius*sin
	}
}

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
