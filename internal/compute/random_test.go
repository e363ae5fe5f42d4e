package compute

import (
	"fmt"
	"math"
	"testing"
)

// The vectors are from Random123, file kat_vectors, philox4x32 10.
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range [][5]uint64{
		{0, 0, 0, 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c},
		{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 0x41c83b0e408f276d, 0x6d5451fda20bc7c6},
		{0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, 0x94fdccebd16cfe09, 0x24126ea15001e420},
	} {
		if low, high := philox(c[0], c[1], c[2]); low != c[3] || high != c[4] {
			t.Errorf("philox(%x) = %x %x", c[:3], low, high)
		}
	}
}

func TestRandomPaths(t *testing.T) {
	at := Address{Seed: 0x0123456789abcdef, Stream: 7, Block: 1<<32 - 3}
	for _, first := range []uint64{0, 1, 6, 1<<33 - 5, 1<<34 - 20} {
		for _, n := range []int{0, 1, 2, 15, 16, 33, 100} {
			want, wantU := make([]float64, n), make([]float64, n)
			for i := range want {
				pair := make([]float64, 2)
				normalsGo(pair, at.Seed, at.domain(), (first+uint64(i))/2)
				want[i] = pair[(first+uint64(i))%2]
				uniformsGo(pair, at.Seed, at.domain(), (first+uint64(i))/2)
				wantU[i] = pair[(first+uint64(i))%2]
			}
			for _, e := range engines64 {
				got := make([]float64, n)
				e.random(e.normals, got, at, first)
				same(t, fmt.Sprint("normals ", e.name, first, n), got, want)
				e.random(e.uniforms, got, at, first)
				same(t, fmt.Sprint("uniforms ", e.name, first, n), got, wantU)
			}
		}
	}
}

// TestNormalMoments compares moments and the distribution function with a standard normal,
// within five standard errors.
func TestNormalMoments(t *testing.T) {
	const n = 1 << 18
	x := make([]float64, n)
	Normals(x, Address{Seed: 1}, 0)
	var m [5]float64
	var below [7]float64
	for _, v := range x {
		for k := range m {
			m[k] += math.Pow(v, float64(k)) / n
		}
		for k := range below {
			if v < float64(k-3) {
				below[k] += 1. / n
			}
		}
	}
	want, variance := [5]float64{1, 0, 1, 0, 3}, [5]float64{0, 1, 2, 15, 96}
	for k := range m {
		if math.Abs(m[k]-want[k]) > 5*math.Sqrt(variance[k]/n)+1e-12 {
			t.Errorf("moment %d is %v", k, m[k])
		}
	}
	for k := range below {
		p := 0.5 * math.Erfc(-float64(k-3)/math.Sqrt2)
		if math.Abs(below[k]-p) > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("share below %d is %v, want %v", k-3, below[k], p)
		}
	}
}
