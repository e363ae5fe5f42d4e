package rng

import "math"

// NormFloat64 returns a standard normal number.
//
// It uses Marsaglia's polar method: for (u, v) uniform in the unit disc and s = u² + v²,
// u·sqrt(−2·ln(s)/s) is standard normal. The bits are the same on every machine. The
// ziggurat of golang.org/x/exp/rand does not guarantee this: it calls math.Exp and math.Log,
// which are assembly on some processors, and its products may be fused.
func (s *Stream) NormFloat64() float64 {
	for {
		u, v := 2*s.Float64()-1, 2*s.Float64()-1
		// The conversions prevent fused multiply-adds, here and in ln.
		if r := float64(u*u) + float64(v*v); 0 < r && r < 1 {
			return u * math.Sqrt(-2*ln(r)/r)
		}
	}
}

// ln returns the natural logarithm of a positive normal number with an error of at most
// 2 ulp, by operations that are exact or correctly rounded.
//
// With x = m·2^e, sqrt(1/2) <= m < sqrt(2) and t = (m−1)/(m+1), it is
// e·ln(2) + 2·artanh(t), artanh(t) = t + t³/3 + t⁵/5 + …. Since |t| < 0.172, truncation
// after t¹⁹ causes a relative error below 3e-17.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	t := (m - 1) / (m + 1)
	t2 := t * t
	p := 0.0
	for _, c := range artanh {
		p = float64(p*t2) + c
	}
	return float64(float64(e)*math.Ln2) + float64(2*t*p)
}

// artanh holds the coefficients of artanh(t)/t in t², highest power first.
var artanh = [...]float64{1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1}
