package compute

import (
	"math"
	"math/bits"
)

// twoOverPi holds the binary digits of 2/π, after one zero word.
var twoOverPi = [...]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
	0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
	0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
	0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// reduceFar returns r and n with x = n·π/2 + r modulo 2π and |r| ≤ π/4, for |x| ≥ 1, by
// the method of Payne and Hanek ("Radian reduction for trigonometric functions", 1983).
// r is NaN if x is not finite.
func reduceFar(x float64) (r float64, n uint64) {
	if x-x != 0 {
		return math.NaN(), 0
	}
	b := math.Float64bits(math.Abs(x))
	e := int(b>>52) - 1075
	m := b&(1<<52-1) | 1<<52
	// |x| = m·2ᵉ. Digits of 2/π before position e−2 contribute multiples of 2π. The next
	// 192 digits leave at least 75 correct bits.
	w2, w1, w0 := digits(e - 2 + 64)
	h0, p0 := bits.Mul64(m, w0)
	h1, l1 := bits.Mul64(m, w1)
	p1, carry := bits.Add64(l1, h0, 0)
	p2 := m*w2 + h1 + carry
	// p2, p1, p0 is the number of quarter turns modulo 4, in units of 2⁻¹⁹⁰.
	n = p2 >> 62
	p2, p1, p0 = p2<<2|p1>>62, p1<<2|p0>>62, p0<<2
	negative := p2>>63 != 0
	if negative {
		n++
		var borrow uint64
		p0, borrow = bits.Sub64(0, p0, 0)
		p1, borrow = bits.Sub64(0, p1, borrow)
		p2, _ = bits.Sub64(0, p2, borrow)
	}
	r = quarterTurns(p2, p1, p0)
	if negative != (x < 0) {
		r = -r
	}
	if x < 0 {
		n = -n
	}
	return r, n
}

// digits returns 192 bits of twoOverPi, starting at bit at.
func digits(at int) (w2, w1, w0 uint64) {
	i, s := at/64, uint(at%64)
	w := func(i int) uint64 { return twoOverPi[i]<<s | twoOverPi[i+1]>>(64-s) }
	return w(i), w(i + 1), w(i + 2)
}

// quarterTurns returns π/2 times a 192-bit fraction.
func quarterTurns(p2, p1, p0 uint64) float64 {
	exponent := 0
	if p2 == 0 {
		p2, p1, p0, exponent = p1, p0, 0, -64
	}
	z := uint(bits.LeadingZeros64(p2))
	p2, p1 = p2<<z|p1>>(64-z), p1<<z|p0>>(64-z)
	high := float64(p2 >> 11)
	low := float64(p2<<53>>11|p1>>22) * 0x1p-53
	product := float64(high * 0x1.921fb54442d18p+0)
	rest := math.FMA(high, 0x1.921fb54442d18p+0, -product)
	rest = math.FMA(high, 0x1.1a62633145c07p-54, rest)
	rest = math.FMA(low, 0x1.921fb54442d18p+0, rest)
	return math.Ldexp(product+rest, exponent-int(z)-53)
}
