package compute

import "math"

// Exp sets dst_i = exp(src_i) with an error of at most 1 ulp. It overflows to +Inf,
// underflows to 0, and rounds subnormal results once. dst may be src.
func Exp(dst, src []float64) {
	use64.each(dst, src, func(dst, src []float64) { use64.exp(dst, src, 1, 0) })
}

// ExpOne returns exp(x) with the same bits as Exp.
func ExpOne(x float64) float64 { return expGo(x) }

// quantum divides the lengths that the elementwise routines accept.
const quantum = 16

// each applies f, which requires a multiple of quantum, to slices of any length.
func (e *engine[T]) each(dst, src []T, f func(dst, src []T)) {
	whole := len(src) &^ (quantum - 1)
	f(dst[:whole], src[:whole])
	if rest := src[whole:]; len(rest) > 0 {
		tail := e.buffer(quantum)
		clear(tail.data[copy(tail.data, rest):])
		f(tail.data, tail.data)
		copy(dst[whole:len(src)], tail.data)
		tail.free()
	}
}

// Coefficients c of exp(r) = 1 + r + r²·Σ c_i rⁱ for |r| ≤ log(2)/2. They are minimax
// in relative error: 5.4e-18, and 3.2e-9 in single precision.
var (
	expTail = [...]float64{
		0x1p-1, 0x1.5555555555501p-3, 0x1.55555555531fbp-5, 0x1.111111112896cp-7,
		0x1.6c16c17cc749cp-10, 0x1.a01a011bdcb4ep-13, 0x1.a019ab1f3b207p-16,
		0x1.71df55c14da39p-19, 0x1.289f99ca456bfp-22, 0x1.ad1f7e401de0cp-26,
	}
	expTail32 = [...]float32{0x1.fffffcp-2, 0x1.55548cp-3, 0x1.555858p-5, 0x1.123dep-7, 0x1.6ac74ep-10}
)

// expGo writes x = n·log(2) + r. Adding 1.5·2⁵² rounds to an integer n and stores it in
// the low bits. log(2) is subtracted in two parts; the first subtraction is exact. It
// clamps x to a range outside of which the result is 0 or +Inf.
func expGo(x float64) float64 {
	const magic = 0x1.8p52
	if x > 710 {
		x = 710
	}
	if x < -746 {
		x = -746
	}
	t := math.FMA(x, math.Log2E, magic)
	n := t - magic
	r := math.FMA(n, -0x1.62e42fefa39efp-1, x)
	r = math.FMA(n, -0x1.abc9e3b39803fp-56, r)
	q := expTail[len(expTail)-1]
	for i := len(expTail) - 2; i >= 0; i-- {
		q = math.FMA(q, r, expTail[i])
	}
	p := 1 + math.FMA(float64(r*r), q, r)
	// Scale in two steps, so that a subnormal result is rounded only in the last.
	k := int32(math.Float64bits(t))
	half := k >> 1
	p *= math.Float64frombits(uint64(half+1023) << 52)
	return p * math.Float64frombits(uint64(k-half+1023)<<52)
}

func exp32Go(x float32) float32 {
	const magic = 0x1.8p23
	if x > 89 {
		x = 89
	}
	if x < -104 {
		x = -104
	}
	t := fma32(x, math.Log2E, magic)
	n := t - magic
	r := fma32(n, -0x1.62e43p-1, x)
	r = fma32(n, 0x1.05c61p-29, r)
	q := expTail32[len(expTail32)-1]
	for i := len(expTail32) - 2; i >= 0; i-- {
		q = fma32(q, r, expTail32[i])
	}
	p := 1 + fma32(float32(r*r), q, r)
	k := int32(math.Float32bits(t)) - int32(math.Float32bits(magic))
	half := k >> 1
	p *= math.Float32frombits(uint32(half+127) << 23)
	return p * math.Float32frombits(uint32(k-half+127)<<23)
}

// expOf is exp in the precision of its argument.
func expOf[T float](x T) T {
	if x, ok := any(x).(float64); ok {
		return T(expGo(x))
	}
	return T(exp32Go(float32(x)))
}
