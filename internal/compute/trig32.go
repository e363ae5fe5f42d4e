package compute

import "math"

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
