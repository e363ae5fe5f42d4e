package rng

// Hash maps (seed, purpose, i) to 64 random bits. For a fixed seed and purpose it is a
// bijection of i, so different values of i do not collide. O(len(purpose)).
//
// With the finalizer mix of SplitMix64 and the FNV-1a hash of purpose,
//
//	h0 = 0,  h1 = absorb(h0, seed),  h2 = absorb(h1, fnv1a(purpose)),  Hash = absorb(h2, i)
//	absorb(h, v) = mix(h xor mix(v + 0x9e3779b97f4a7c15))
func Hash(seed uint64, purpose string, i uint64) uint64 {
	return hash(0, seed, purpose, i)
}

func hash(start, seed uint64, purpose string, i uint64) uint64 {
	return absorb(absorb(absorb(start, seed), fnv1a(purpose)), i)
}

func absorb(h, v uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2⁶⁴ over the golden ratio: mix(0) is 0, and seeds are often small
	return mix(h ^ mix(v+golden))
}

// mix is the finalizer of SplitMix64 ("Fast Splittable Pseudorandom Number Generators",
// OOPSLA 2014), a bijection of 64 bits.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fnv1a returns the 64-bit FNV-1a hash of s.
func fnv1a(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}
