package rng

import (
	"fmt"
	"math"
	"math/bits"
	randv2 "math/rand/v2"
	"slices"
	"testing"
)

var _ randv2.Source = (*Stream)(nil)

// Constants from a second implementation in arbitrary-precision integers.
func TestStreamKnownAnswers(t *testing.T) {
	s := New(1, "landmarks", 0)
	for i, want := range []uint64{0x01e06472e06f8760, 0xbe4916950c6263e3, 0x47527b80a8387bc} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
	s = New(42, "", 7)
	got := fmt.Sprint(s.Float64(), s.IntN(1000), s.Perm(8), s.Sample(1000000, 5))
	if want := "0.3139007431222569 16 [2 3 7 6 1 0 4 5] [877397 546227 700317 683957 883504]"; got != want {
		t.Errorf("drew %s, want %s", got, want)
	}
	for i, want := range []float64{0x1.624d9ba894c13p-5, 0x1.31c8ccd314e6dp-2, 0x1.5f69c563537cfp-2, 0x1.0e4ad56d013e8p+0} {
		if got := s.NormFloat64(); got != want {
			t.Errorf("normal %d is %x, want %x", i, got, want)
		}
	}
}

// Streams with adjacent addresses are uncorrelated, like fair coins.
func TestStreamsAreIndependent(t *testing.T) {
	type address struct {
		seed    uint64
		purpose string
		block   uint64
	}
	var all []address
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		for _, purpose := range []string{"", "order", "orders", "folds"} {
			for block := range uint64(3) {
				all = append(all, address{seed, purpose, block})
			}
		}
	}
	const n = 500
	draws := make([][]uint64, len(all))
	for i, a := range all {
		s := New(a.seed, a.purpose, a.block)
		for range n {
			draws[i] = append(draws[i], s.Uint64())
		}
	}
	for i := range all {
		for j := range i {
			same := 0
			for k := range n {
				same += bits.OnesCount64(^(draws[i][k] ^ draws[j][k]))
			}
			if z := fairBits(same, 64*n); math.Abs(z) > 5 {
				t.Errorf("%v and %v agree in %d of %d bits, %.1f sigma from half", all[i], all[j], same, 64*n, z)
			}
		}
	}
}

func TestCopyIsIndependent(t *testing.T) {
	s := New(9, "copy", 0)
	c := *s
	want := []uint64{c.Uint64(), c.Uint64()}
	if got := []uint64{s.Uint64(), s.Uint64()}; !slices.Equal(got, want) {
		t.Errorf("after its copy was drawn from, the stream gives %v, want %v", got, want)
	}
}
