package kernel

import "math"

// besselK returns exp(t)·K_mu(t) and exp(t)·K_{mu+1}(t) for |mu| ≤ 1/2 and
// t > 0, where K is the modified Bessel function of the second kind. Up to t = 2
// it sums the series of Temme, "On the numerical evaluation of the modified
// Bessel function of the third kind", J. Comput. Phys. 19 (1975); beyond, it
// takes Steed's continued fraction in the form of Thompson and Barnett, Comput.
// Phys. Commun. 47 (1987). Relative error below 1e-14.
func besselK(mu, t float64) (k0, k1 float64) {
	if t <= 2 {
		k0, k1 = besselTemme(mu, t)
		e := math.Exp(t)
		return k0 * e, k1 * e
	}
	return besselSteed(mu, t)
}

// besselTemme returns K_mu(t) and K_{mu+1}(t).
func besselTemme(mu, t float64) (k0, k1 float64) {
	odd, even := reciprocalGamma(mu)
	l := math.Log(2 / t)
	e := math.Exp(mu * l)
	f := (math.Cosh(mu*l)*odd + l*ratioSinh(mu*l)*even) / sinc(mu)
	p := e / (2 * (even - mu*odd)) // Γ(1+mu)·(t/2)^−mu / 2
	q := 1 / (2 * e * (even + mu*odd))
	c := 1.0
	k0, k1 = f, p
	for i := 1.0; ; i++ {
		f = (i*f + p + q) / (i*i - mu*mu)
		p /= i - mu
		q /= i + mu
		c *= t * t / (4 * i)
		k0 += c * f
		k1 += c * (p - i*f)
		if !(c*f >= k0*0x1p-54) { // of NaN too
			return k0, 2 / t * k1
		}
	}
}

// besselSteed returns exp(t)·K_mu(t) and exp(t)·K_{mu+1}(t).
func besselSteed(mu, t float64) (k0, k1 float64) {
	first := 0.25 - mu*mu
	b := 2 * (1 + t)
	d := 1 / b
	h, step := d, d
	q0, q1 := 0.0, 1.0
	c, a := first, -first
	q := c
	s := 1 + q*step
	for i := 2.0; ; i++ {
		a -= 2 * (i - 1)
		c *= -a / i
		q0, q1 = q1, (q0-b*q1)/a
		q += c * q1
		b += 2
		d = 1 / (b + a*d)
		step *= b*d - 1
		h += step
		s += q * step
		if !(math.Abs(q*step) > s*0x1p-54) { // of NaN too
			break
		}
	}
	k0 = math.Sqrt(math.Pi/(2*t)) / s
	return k0, k0 * (mu + t + 0.5 - first*h) / t
}

// gammaSeries holds the coefficients of 1/Γ(1+z) = Σ_j c_j z^j.
var gammaSeries = [...]float64{
	1, 0.57721566490153286061, -0.65587807152025388108, -0.042002635034095235529,
	0.1665386113822914895, -0.042197734555544336748, -0.0096219715278769735621,
	0.0072189432466630995424, -0.0011651675918590651121, -0.00021524167411495097282,
	0.00012805028238811618615, -2.0134854780788238656e-05, -1.2504934821426706573e-06,
	1.1330272319816958824e-06, -2.0563384169776071035e-07, 6.1160951044814158179e-09,
	5.0020076444692229301e-09, -1.1812745704870201446e-09, 1.0434267116911005105e-10,
	7.782263439905071254e-12, -3.6968056186422057082e-12, 5.100370287454475979e-13,
}

// reciprocalGamma returns (1/Γ(1−mu) − 1/Γ(1+mu))/(2mu) and the mean of 1/Γ(1−mu)
// and 1/Γ(1+mu), without cancellation near 0.
func reciprocalGamma(mu float64) (odd, even float64) {
	m := mu * mu
	for j := len(gammaSeries) - 2; j >= 0; j -= 2 {
		even = even*m + gammaSeries[j]
		odd = odd*m - gammaSeries[j+1]
	}
	return odd, even
}

// sinc returns sin(πx)/(πx).
func sinc(x float64) float64 {
	x *= math.Pi
	if math.Abs(x) < 1e-8 {
		return 1
	}
	return math.Sin(x) / x
}

// ratioSinh returns sinh(x)/x.
func ratioSinh(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1
	}
	return math.Sinh(x) / x
}
