package compute

import (
	"math"
	"unsafe"
)

// fma returns x·y + z rounded once.
func fma[T float](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	return T(fma32(float32(x), float32(y), float32(z)))
}

// fma32 computes x·y + z in double precision, where the product is exact. It rounds the
// sum to odd, so that the conversion to single precision is the only rounding (Boldo
// and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
// using rounding to odd", 2008).
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	t := s - p
	e := (p - (s - t)) + (c - t)
	if bits := math.Float64bits(s); e != 0 && e == e && bits&1 == 0 && !math.IsInf(s, 0) {
		// s is inexact and even; use the odd neighbour in the direction of the error.
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		return float32(math.Float64frombits(bits))
	}
	return float32(s)
}
