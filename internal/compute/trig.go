package compute

import "math"

// Cos sets dst_i = cos(src_i) with an error of at most 2 ulp, or to NaN if src_i is not
// finite. dst may be src.
func Cos(dst, src []float64) {
	use64.each(dst, src, func(dst, src []float64) { use64.wave(use64.cosine, cosGo, dst, src) })
}

// Sin sets dst_i = sin(src_i) with an error of at most 2 ulp, or to NaN if src_i is not
// finite. dst may be src.
func Sin(dst, src []float64) {
	use64.each(dst, src, func(dst, src []float64) { use64.wave(use64.sine, sinGo, dst, src) })
}

func (e *engine[T]) wave(f func(dst, src, phase []T, scale T) int, exact func(T) T, dst, src []T) {
	// Adding −0 preserves the sign of a zero.
	zeros := e.buffer(group)
	defer zeros.free()
	phase := zeros.data
	for i := range phase {
		phase[i] = T(math.Copysign(0, -1))
	}
	for len(src) > 0 {
		n := min(len(src), group)
		e.phased(f, exact, dst[:n], src[:n], phase[:n], 1)
		dst, src = dst[n:], src[n:]
	}
}

// phased sets dst = scale·f(src + phase). It uses exact for the vectors that f skips.
func (e *engine[T]) phased(f func(dst, src, phase []T, scale T) int, exact func(T) T, dst, src, phase []T, scale T) {
	for at := 0; at < len(src); at += e.lanes {
		at += f(dst[at:len(src)], src[at:], phase[at:len(src)], scale)
		for i := at; i < min(at+e.lanes, len(src)); i++ {
			dst[i] = scale * exact(src[i]+phase[i])
		}
	}
}

// paired sets cos and sin to the scaled cosine and sine of src.
func (e *engine[T]) paired(cos, sin, src []T, scale T) { e.pairedBy(e.wavePair, cos, sin, src, scale) }

// pairedBy is paired with wavePair or wavePast.
func (e *engine[T]) pairedBy(wave func(cos, sin, src []T, scale T) int, cos, sin, src []T, scale T) {
	for at := 0; at < len(src); at += e.lanes {
		at += wave(cos[at:len(src)], sin[at:len(src)], src[at:], scale)
		for i := at; i < min(at+e.lanes, len(src)); i++ {
			s, c := sincosOf(src[i])
			cos[i], sin[i] = scale*c, scale*s
		}
	}
}

// Largest angles for which reduction by multiples of π/2 in three parts is accurate.
const (
	farAngle   = 0x1p45
	farAngle32 = 0x1p16
)

// Coefficients of sin(r) = r + r³·Σ S_i r²ⁱ and cos(r) = 1 − r²/2 + r⁴·Σ C_i r²ⁱ
// for |r| ≤ π/4, minimax to 3.4e-18 and 4.8e-20, and 3.7e-9 and 1.1e-10 in
// single precision.
var (
	sinSeries  = [...]float64{-0x1.5555555555549p-3, 0x1.111111110f8a6p-7, -0x1.a01a019c1619cp-13, 0x1.71de357b1bc0ap-19, -0x1.ae5e689eccfddp-26, 0x1.5d93a45f5e2bbp-33}
	cosSeries  = [...]float64{0x1.555555555554cp-5, -0x1.6c16c16c1521fp-10, 0x1.a01a019cbf628p-16, -0x1.27e4f812b64dep-22, 0x1.1ee9f1526e58cp-29, -0x1.8fb130e33f39cp-37}
	sinTerms32 = [...]float32{-0x1.555546p-3, 0x1.11077ep-7, -0x1.9956b6p-13}
	cosTerms32 = [...]float32{0x1.55554ap-5, -0x1.6c0c1ap-10, 0x1.99e0eep-16}
)

// sincosGo subtracts n·π/2 in three parts. The first difference is exact. The second
// keeps the significant digits even if x is next to a multiple of π/2.
func sincosGo(x float64) (sin, cos float64) {
	const magic = 0x1.8p52
	if !(math.Abs(x) <= farAngle) {
		r, n := reduceFar(x)
		return quadrant(r, n)
	}
	t := math.FMA(x, 2/math.Pi, magic)
	n := t - magic
	r := math.FMA(n, -0x1.921fb54442d18p+0, x)
	r = math.FMA(n, -0x1.1a62633145c07p-54, r)
	r = math.FMA(n, 0x1.f1976b7ed8fbcp-110, r)
	return quadrant(r, math.Float64bits(t))
}

// quadrant returns the sine and cosine of n·π/2 + r.
func quadrant(r float64, n uint64) (sin, cos float64) {
	z := float64(r * r)
	s, c := sinSeries[len(sinSeries)-1], cosSeries[len(cosSeries)-1]
	for i := len(sinSeries) - 2; i >= 0; i-- {
		s = math.FMA(s, z, sinSeries[i])
		c = math.FMA(c, z, cosSeries[i])
	}
	s = math.FMA(s, float64(z*r), r)
	c = math.FMA(c, float64(z*z), math.FMA(-0.5, z, 1))
	if n&1 != 0 {
		s, c = c, s
	}
	return flip(s, n), flip(c, n+1)
}

// flip changes the sign of x if bit 1 of n is set.
func flip(x float64, n uint64) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ n<<62&(1<<63))
}

// Coefficients S of sin(r) = r + r³·Σ S_i r²ⁱ for |r| ≤ π/2, minimax to 3.0e-19,
// and 6.2e-9 in single precision.
var (
	halfTurn = [...]float64{
		-0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d6fp-13, 0x1.71de3a52a0b16p-19,
		-0x1.ae6454d474684p-26, 0x1.6123cd0749a55p-33, -0x1.ae4384748c63ap-41, 0x1.8832a864ed9a7p-49,
	}
	halfTurn32 = [...]float32{-0x1.55554cp-3, 0x1.110edap-7, -0x1.9f70eep-13, 0x1.5dc8c4p-19}
)

// cosGo returns cos(x) = (−1)ⁿ·sin(x − (n − ½)π). A single function is faster with one
// series on half a turn. sincosGo uses two series on a quarter turn, which is faster for
// both.
func cosGo(x float64) float64 {
	const magic = 0x1.8p52
	if !(math.Abs(x) <= farAngle) {
		_, c := sincosGo(x)
		return c
	}
	t := math.FMA(x, 1/math.Pi, 0.5) + magic
	return remainderSine(x, t-magic-0.5, math.Float64bits(t))
}

// sinGo returns sin(x) = (−1)ⁿ·sin(x − nπ).
func sinGo(x float64) float64 {
	const magic = 0x1.8p52
	if !(math.Abs(x) <= farAngle) {
		s, _ := sincosGo(x)
		return s
	}
	t := math.FMA(x, 1/math.Pi, magic)
	return remainderSine(x, t-magic, math.Float64bits(t))
}

// remainderSine returns (−1)ⁿ·sin(x − hπ). It clamps the result to [−1, 1], because
// rounding could exceed 1 next to an extremum, an error of 2 ulp.
func remainderSine(x, h float64, n uint64) float64 {
	r := math.FMA(h, -0x1.921fb54442d18p+1, x)
	r = math.FMA(h, -0x1.1a62633145c07p-53, r)
	r = math.FMA(h, 0x1.f1976b7ed8fbcp-109, r)
	z := float64(r * r)
	s := halfTurn[len(halfTurn)-1]
	for i := len(halfTurn) - 2; i >= 0; i-- {
		s = math.FMA(s, z, halfTurn[i])
	}
	s = math.FMA(s, float64(z*r), r)
	return flip(max(-1, min(1, s)), n<<1)
}

// sincosOf, cosOf and sinOf are sincosGo, cosGo and sinGo in the precision of their
// argument.
func sincosOf[T float](x T) (sin, cos T) {
	if x, ok := any(x).(float64); ok {
		s, c := sincosGo(x)
		return T(s), T(c)
	}
	s, c := sincos32Go(float32(x))
	return T(s), T(c)
}

func cosOf[T float](x T) T {
	if x, ok := any(x).(float64); ok {
		return T(cosGo(x))
	}
	return T(cos32Go(float32(x)))
}

func sinOf[T float](x T) T {
	if x, ok := any(x).(float64); ok {
		return T(sinGo(x))
	}
	return T(sin32Go(float32(x)))
}

// sincos32Go is sincosGo in single precision. It uses double precision for large angles.
func sincos32Go(x float32) (sin, cos float32) {
	const magic = 0x1.8p23
	if !(math.Abs(float64(x)) <= farAngle32) {
		s, c := sincosGo(float64(x))
		return float32(s), float32(c)
	}
	t := fma32(x, 2/math.Pi, magic)
	n := t - magic
	r := fma32(n, -0x1.921fb6p+0, x)
	r = fma32(n, 0x1.777a5cp-25, r)
	r = fma32(n, 0x1.ee59dap-50, r)
	return quadrant32(r, math.Float32bits(t))
}

func quadrant32(r float32, n uint32) (sin, cos float32) {
	z := float32(r * r)
	s, c := sinTerms32[len(sinTerms32)-1], cosTerms32[len(cosTerms32)-1]
	for i := len(sinTerms32) - 2; i >= 0; i-- {
		s = fma32(s, z, sinTerms32[i])
		c = fma32(c, z, cosTerms32[i])
	}
	s = fma32(s, float32(z*r), r)
	c = fma32(c, float32(z*z), fma32(-0.5, z, 1))
	if n&1 != 0 {
		s, c = c, s
	}
	return flip32(s, n), flip32(c, n+1)
}

func flip32(x float32, n uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) ^ n<<30&(1<<31))
}

func cos32Go(x float32) float32 {
	const magic = 0x1.8p23
	if !(math.Abs(float64(x)) <= farAngle32) {
		return float32(cosGo(float64(x)))
	}
	t := fma32(x, 1/math.Pi, 0.5) + magic
	return remainderSine32(x, t-magic-0.5, math.Float32bits(t))
}

func sin32Go(x float32) float32 {
	const magic = 0x1.8p23
	if !(math.Abs(float64(x)) <= farAngle32) {
		return float32(sinGo(float64(x)))
	}
	t := fma32(x, 1/math.Pi, magic)
	return remainderSine32(x, t-magic, math.Float32bits(t))
}

func remainderSine32(x, h float32, n uint32) float32 {
	r := fma32(h, -0x1.921fb6p+1, x)
	r = fma32(h, 0x1.777a5cp-24, r)
	r = fma32(h, 0x1.ee59dap-49, r)
	z := float32(r * r)
	s := halfTurn32[len(halfTurn32)-1]
	for i := len(halfTurn32) - 2; i >= 0; i-- {
		s = fma32(s, z, halfTurn32[i])
	}
	s = fma32(s, float32(z*r), r)
	return flip32(max(-1, min(1, s)), n<<1)
}
