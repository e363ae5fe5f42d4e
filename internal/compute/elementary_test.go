package compute

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// checkULPs fails if an error of f exceeds limit ulp.
func checkULPs(t *testing.T, name string, f func(dst, src []float64), x []float64, want []*big.Float, limit float64) {
	t.Helper()
	y := make([]float64, len(x))
	f(y, x)
	worst := 0.0
	for i, v := range x {
		u := ulps(y[i], want[i])
		worst = max(worst, u)
		if !(u <= limit) {
			t.Fatalf("%s(%v = %x) = %v, off by %.3f ulp", name, v, v, y[i], u)
		}
	}
	t.Logf("%s: %.3f ulp", name, worst)
}

func uniform(rnd *rand.Rand, n int, low, high float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = low + (high-low)*rnd.Float64()
	}
	return x
}

func TestExpAccuracy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	x := append(uniform(rnd, 3000, -745, 709.78), uniform(rnd, 3000, -1, 1)...)
	x = append(x, uniform(rnd, 300, -745.2, -707)...)
	for n := -1074.0; n <= 1023; n += 13 {
		for _, d := range []float64{-0.5, 0.5} {
			edge := (n + d) * math.Ln2
			x = append(x, edge, math.Nextafter(edge, 0), 0x1p-40*edge)
		}
	}
	x = append(x, 709.782712893384, -745.1332191019411, 1e-300, -1e-300)
	want := make([]*big.Float, len(x))
	for i, v := range x {
		want[i] = bigExp(v)
	}
	checkULPs(t, "exp", Exp, x, want, 1)
}

func TestExpEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2]float64{
		{0, 1}, {inf, inf}, {-inf, 0}, {709.7827128933841, inf}, {1e308, inf}, {-745.1332191019412, 0},
		{-1e308, 0}, {-745.133, 5e-324}, {math.NaN(), math.NaN()},
	} {
		for _, e := range engines64 {
			got := []float64{c[0], c[0], c[0]}
			e.each(got, got, func(dst, src []float64) { e.exp(dst, src, 1, 0) })
			same(t, fmt.Sprint(e.name, " exp ", c[0]), got, []float64{c[1], c[1], c[1]})
		}
	}
}

// angles returns arguments of cos and sin of all magnitudes, including the numbers nearest to
// multiples of π/2, where the result is near zero or an extremum.
func angles() []float64 {
	rnd := rand.New(rand.NewPCG(2, 2))
	x := append(uniform(rnd, 1500, -10, 10), uniform(rnd, 700, -1e12, 1e12)...)
	for e := -1074; e < 1024; e += 7 {
		x = append(x, math.Ldexp(1+rnd.Float64(), e))
	}
	half := number(0).Quo(bigPi, number(2))
	multiple := func(n float64) {
		near, _ := number(0).Mul(half, number(n)).Float64()
		x = append(x, near, math.Nextafter(near, 0), -near)
	}
	for n := 1.0; n < 300; n++ {
		multiple(n)
	}
	for e := 9; e < 1023; e += 3 {
		multiple(math.Floor(math.Ldexp(1+rnd.Float64(), e)))
	}
	// Next to extrema, where a result that exceeds 1 has an error of 2 ulp.
	x = append(x, 0x1.c43d4f4e6c4c8p+23, -0x1.b1801b6527876p+25)
	// The double nearest to a multiple of π/2, and doubles close to a multiple (Muller, Elementary Functions, 3rd
	// edition, section 11).
	return append(x, math.Ldexp(6381956970095103, 797), 6134899525417045, farAngle, -farAngle, math.Nextafter(farAngle, 1e300))
}

// TestCosSinWithinOne tests arguments near extrema. For many of them the series would round
// to a value above 1.
func TestCosSinWithinOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	x, y := make([]float64, 1<<18), make([]float64, 1<<18)
	for i := range x {
		x[i] = math.Floor(math.Exp(rnd.Float64()*20))*math.Pi/2 + rnd.NormFloat64()*1e-8
	}
	for name, f := range map[string]func(dst, src []float64){"Cos": Cos, "Sin": Sin} {
		f(y, x)
		for i, v := range y {
			if math.Abs(v) > 1 {
				t.Fatalf("%s(%x) = %x", name, x[i], v)
			}
		}
	}
}

func TestCosSinAccuracy(t *testing.T) {
	x := angles()
	for len(x)%quantum != 0 {
		x = append(x, 1)
	}
	sin, cos := make([]*big.Float, len(x)), make([]*big.Float, len(x))
	for i, v := range x {
		sin[i], cos[i] = bigSinCos(v)
	}
	unused := make([]float64, len(x))
	checkULPs(t, "cos", Cos, x, cos, 2)
	checkULPs(t, "sin", Sin, x, sin, 2)
	checkULPs(t, "cos of a pair", func(dst, src []float64) { use64.paired(dst, unused, src, 1) }, x, cos, 2)
	checkULPs(t, "sin of a pair", func(dst, src []float64) { use64.paired(unused, dst, src, 1) }, x, sin, 2)
}

// special holds values that are rare in typical data.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 5e-324, -5e-324, 1e-310, 1e308, -1e308, math.MaxFloat64, 1e12, -1e12,
	math.Inf(1), math.Inf(-1), math.NaN(), 0x1p45, 0x1p46, -0x1p60, 746, -746, 710, 88.8, -104.1, 1e38, 1e-44, 0x1p16, 0x1p17,
}

// arguments returns ordinary and special numbers in the range of T.
func arguments[T float](rnd *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(rnd.NormFloat64() * math.Exp(8*rnd.NormFloat64()))
		if i%5 == 0 {
			x[i] = T(special[rnd.IntN(len(special))])
		}
	}
	return x
}

func testElementwisePaths[T float](t *testing.T, engines []*engine[T]) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for trial := range 30 {
		src, phase := arguments[T](rnd, 16*trial), arguments[T](rnd, 16*trial)
		a, b := T(-rnd.Float64()), T(rnd.NormFloat64())
		var want [][]T
		for i := range engines {
			e := engines[len(engines)-1-i]
			got := elementwise(e, src, phase, a, b)
			if i == 0 {
				want = got
			}
			for k := range got {
				same(t, fmt.Sprint(e.name, " function ", k), got[k], want[k])
			}
		}
	}
}

// elementwise returns the results of all elementwise routines for src.
func elementwise[T float](e *engine[T], src, phase []T, a, b T) [][]T {
	var out [][]T
	to := func() []T {
		out = append(out, make([]T, len(src)))
		return out[len(out)-1]
	}
	e.exp(to(), src, a, 0)
	e.matern12(to(), src, a, 0)
	e.matern32(to(), src, a, 0)
	e.matern52(to(), src, a, 0)
	positive := make([]T, len(src))
	for i, v := range src {
		positive[i] = T(math.Abs(float64(v)))
	}
	e.rational(to(), positive, -a, b)
	for _, p := range []int{1, 2, 3, 7, 12} {
		e.polynomial(to(), src, a, b, p)
	}
	e.phased(e.cosine, cosOf[T], to(), src, phase, b)
	e.phased(e.sine, sinOf[T], to(), src, phase, b)
	e.paired(to(), to(), src, b)
	return out
}

func TestElementwisePaths(t *testing.T)   { testElementwisePaths(t, engines64) }
func TestElementwisePaths32(t *testing.T) { testElementwisePaths(t, engines32) }

// FuzzElementwise compares all engines on arbitrary bit patterns.
func FuzzElementwise(f *testing.F) {
	f.Add(math.Float64bits(1), math.Float64bits(math.Inf(-1)), math.Float64bits(math.Pi))
	f.Add(math.Float64bits(1e300), uint64(1), math.Float64bits(-745.5))
	f.Fuzz(func(t *testing.T, a, b, c uint64) {
		src, phase := make([]float64, 16), make([]float64, 16)
		for i := range src {
			src[i] = math.Float64frombits(a + uint64(i)*b)
			phase[i] = math.Float64frombits(c)
		}
		want := elementwise(engines64[len(engines64)-1], src, phase, -0.7, 1.5)
		for _, e := range engines64 {
			for k, got := range elementwise(e, src, phase, -0.7, 1.5) {
				same(t, fmt.Sprint(e.name, " function ", k), got, want[k])
			}
		}
	})
}

func TestElementwise32Accuracy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	e := use32
	x := make([]float32, 16000)
	y, c, s := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
	for i := range x {
		x[i] = float32(rnd.NormFloat64() * 30)
	}
	e.exp(y, x, 1, 0)
	e.paired(c, s, x, 1)
	unit := func(want float64) float64 {
		_, exp := math.Frexp(want)
		return math.Ldexp(1, max(exp-24, -149))
	}
	for i, v := range x {
		for _, p := range [][2]float64{
			{float64(y[i]), math.Exp(float64(v))}, {float64(c[i]), math.Cos(float64(v))}, {float64(s[i]), math.Sin(float64(v))},
		} {
			if math.Abs(p[0]-p[1]) > 2*unit(p[1]) && p[1] < math.MaxFloat32 {
				t.Fatalf("of %v: %v, want %v", v, p[0], p[1])
			}
		}
	}
}

func TestFMA32(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 200000 {
		x := math.Float32frombits(rnd.Uint32())
		y := math.Float32frombits(rnd.Uint32())
		z := math.Float32frombits(rnd.Uint32())
		if rnd.IntN(2) == 0 {
			// Similar in magnitude to the product, to cause cancellation and ties.
			z = -float32(float64(x)*float64(y)) * (1 + float32(rnd.IntN(3)-1)*0x1p-23)
		}
		if x-x != 0 || y-y != 0 || z-z != 0 {
			continue
		}
		exact := new(big.Float).SetPrec(600).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
		exact.Add(exact, big.NewFloat(float64(z)))
		want, _ := exact.Float32()
		if got := fma32(x, y, z); got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
}
