package compute

import (
	"math"
	"math/rand/v2"
	"testing"
)

// math.Log has an error below 1 ulp, on some processors only for normal numbers.
func TestLogAgainstMath(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	x := []float64{0x1p-1022, 1, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Sqrt2, math.Sqrt2 / 2, math.MaxFloat64}
	for range 20000 {
		x = append(x, math.Ldexp(1+rnd.Float64(), rnd.IntN(2040)-1020), 0.5+rnd.Float64())
	}
	y := make([]float64, len(x))
	Log(y, x)
	for i, v := range x {
		want := math.Log(v)
		if ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want); math.Abs(y[i]-want) > 2*ulp {
			t.Fatalf("log(%x) = %x, want %x", v, y[i], want)
		}
	}
}

func TestLogEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2]float64{{0, -inf}, {inf, inf}, {-1, math.NaN()}, {-inf, math.NaN()}, {math.NaN(), math.NaN()}, {1, 0},
		{5e-324, -744.4400719213812}, {0x1p-1030, -1030 * math.Ln2}} {
		got := []float64{c[0]}
		if Log(got, got); got[0] != c[1] && !(got[0] != got[0] && c[1] != c[1]) {
			t.Errorf("log(%v) = %v, want %v", c[0], got[0], c[1])
		}
	}
}
