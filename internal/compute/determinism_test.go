package compute

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// digest hashes the bits of x.
func digest[T float](x []T) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, v := range x {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(float64(v)))
		h.Write(b[:])
	}
	return h.Sum64()
}

func normals(rows, cols int, stream uint32) Matrix {
	m := NewMatrix(rows, cols)
	Normals(m.Data, Address{Seed: 20, Stream: stream}, 0)
	return m
}

func single(m Matrix) Matrix32 {
	s := NewMatrix32(m.Rows, m.Cols)
	for i, v := range m.Data {
		s.Data[i] = float32(v)
	}
	return s
}

// TestSameBitsEverywhere checks kernel matrices and features against fixed hashes. Saved
// models store seeds and rely on these bits.
func TestSameBitsEverywhere(t *testing.T) {
	x, z, w := normals(37, 11, 1), normals(201, 11, 2), normals(201, 2, 3)
	f := Func{Family: Gaussian, A: 0.05}
	k, y, pairs := NewMatrix(37, 201), NewMatrix(37, 2), NewMatrix(37, 402)
	Kernel(k, x, z, f, 0)
	KernelMul(y, x, z, w, Func{Family: Matern52, A: 0.2}, 0)
	FourierPairs(pairs, x, z, math.Sqrt(1./201), 0)
	k32, pairs32 := NewMatrix32(37, 201), NewMatrix32(37, 402)
	Kernel32(k32, single(x), single(z), f, 0)
	FourierPairs32(pairs32, single(x), single(z), 0.1, 0)
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"normals", digest(x.Data), 0xfde5247f6b0af79a},
		{"Gaussian block", digest(k.Data), 0x2a1ad31aa90a850d},
		{"Matern product", digest(y.Data), 0x93b16d43083f4aa},
		{"pairs of features", digest(pairs.Data), 0x2548406ec0be1a30},
		{"Gaussian block in single precision", digest(k32.Data), 0x2a33105798ba1c7f},
		{"pairs of features in single precision", digest(pairs32.Data), 0x400674a77c9dcabe},
	} {
		if c.got != c.want {
			t.Errorf("%s: digest %#x, want %#x", c.name, c.got, c.want)
		}
	}
}
