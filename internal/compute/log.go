package compute

import "math"

// Coefficients L of log((1+s)/(1−s)) = 2s + s³·Σ L_i s²ⁱ for |s| ≤ 3 − 2√2,
// minimax to 2.5e-18 and 5.0e-11.
var (
	logSeries = [...]float64{
		0x1.5555555555592p-1, 0x1.999999997ff19p-2, 0x1.24924941e155ap-2, 0x1.c71c52145120bp-3,
		0x1.74663ced6802fp-3, 0x1.39a1e8c87072ep-3, 0x1.2f03ba45f1e49p-3,
	}
	logSeries32 = [...]float32{0x1.555554p-1, 0x1.999c26p-2, 0x1.23d3ep-2, 0x1.f13b22p-3}
)

// logGo returns log(u) + c for positive normal u and small c. It writes u = 2ᵏ·(1+f)
// with √½ ≤ 1+f < √2 and log(1+f) = f − (f²/2 − s·(f²/2 + R)) with s = f/(2+f), as
// fdlibm does. log(2) is added in two parts; the first is short, so that its product
// with k is exact.
func logGo(u, c float64) float64 {
	t := math.Float64bits(u) - 0x3fe6a09e667f3bcd
	k := float64(int64(t) >> 52)
	f := math.Float64frombits(math.Float64bits(u)-t&(0xfff<<52)) - 1
	s := f / (2 + f)
	z := float64(s * s)
	half := float64(f * float64(0.5*f))
	r := logSeries[len(logSeries)-1]
	for i := len(logSeries) - 2; i >= 0; i-- {
		r = math.FMA(r, z, logSeries[i])
	}
	r = math.FMA(r, z, half)
	c = math.FMA(0x1.a39ef35793c76p-33, k, c)
	return math.FMA(0x1.62e42feep-1, k, f-(half-math.FMA(r, s, c)))
}

func log32Go(u, c float32) float32 {
	t := math.Float32bits(u) - 0x3f3504f3
	k := float32(int32(t) >> 23)
	f := math.Float32frombits(math.Float32bits(u)-t&(0x1ff<<23)) - 1
	s := f / (2 + f)
	z := float32(s * s)
	half := float32(f * float32(0.5*f))
	r := logSeries32[len(logSeries32)-1]
	for i := len(logSeries32) - 2; i >= 0; i-- {
		r = fma32(r, z, logSeries32[i])
	}
	r = fma32(r, z, half)
	c = fma32(0x1.2fefa2p-17, k, c)
	return fma32(0x1.62e3p-1, k, f-(half-fma32(r, s, c)))
}

// logOf is log(u) + c in the precision of its argument.
func logOf[T float](u, c T) T {
	if u, ok := any(u).(float64); ok {
		return T(logGo(u, float64(c)))
	}
	return T(log32Go(float32(u), float32(c)))
}

// Log sets dst_i = log(src_i) with an error of at most 1 ulp: −Inf for 0, NaN for
// negative values. dst may be src.
func Log(dst, src []float64) {
	for i, v := range src {
		dst[i] = log(v)
	}
}

func log(x float64) float64 {
	const smallest = 0x1p-1022 // smallest normal number
	switch {
	case x >= smallest && x <= math.MaxFloat64:
		return logGo(x, 0)
	case x > 0 && x < smallest:
		// 54·log(2) dominates the result, so the subtraction adds little error.
		return logGo(x*0x1p54, 0) - 54*math.Ln2
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}
