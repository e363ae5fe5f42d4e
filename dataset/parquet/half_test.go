package parquet

import (
	"math"
	"testing"
)

// The values of IEEE 754 binary16: zeros, subnormal and normal numbers, infinity and NaN.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3ff: 0x1.ff8p-15, 0x400: 0x1p-14, 0x3c00: 1, 0xc000: -2,
		0x3555: 0.333251953125, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := half(bits); got != want {
			t.Errorf("%#x is %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) || !math.Signbit(half(0x8000)) {
		t.Error("NaN or the negative zero is wrong")
	}
}
