package kernel

import "math"

// besselK returns exp(t)·K_mu(t) and exp(t)·K_{mu+1}(t) for |mu| ≤ 1/2 and t > 0, where K is the modified Bessel
// function of the second kind. The relative error is below 1e-14. Sources: for t ≤ 2 the series of Temme, "On the
// numerical evaluation of the modified Bessel function of the third kind", J. Comput. Phys. 19 (1975); for t > 2
// Steed's continued fraction as in Thompson and Barnett, Comput. Phys. Commun. 47 (1987).
func besselK(mu, t float64) (k0, k1 float64) {
	if t <= 2 {
		k0, k1 = besselTemme(mu, t)
		e := math.Exp(t)
		return k0 * e, k1 * e
	}
	return besselSteed(mu, t)
}

// besselLow returns exp(t)·K_nu(t) for 0 ≤ nu < 1.
func besselLow(nu, t float64) float64 {
	if nu <= 0.5 {
		k, _ := besselK(nu, t)
		return k
	}
	_, k := besselK(nu-1, t)
	return k
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
		if !(c*f >= k0*0x1p-54) { // also ends at NaN
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
		if !(math.Abs(q*step) > s*0x1p-54) { // also ends at NaN
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

// reciprocalGamma returns (1/Γ(1−mu) − 1/Γ(1+mu))/(2mu) and the mean of 1/Γ(1−mu) and 1/Γ(1+mu), accurate near 0.
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

// maternDebye returns M_ν(t) = 2^(1−ν)/Γ(ν)·t^ν·K_ν(t) as factor·exp(exponent) for ν above debyeNu. It uses the
// expansion of K_ν(νz) that is uniform in z = t/ν (NIST DLMF 10.41.4), with its powers merged into Stirling's formula
// for Γ(ν) to avoid cancellation:
//
//	M = exp(−ν·(δ − log(1 + δ/2)) − σ(ν)) · p^(1/2) · Σ_k (−1)^k U_k(p)/ν^k,
//	p = (1+z²)^(−1/2),  δ = 1/p − 1,  σ(ν) = log Γ(ν) − its leading terms.
//
// The first omitted term is below 2e-16 at ν = 50.
func maternDebye(nu, t float64) (factor, exponent float64) {
	z := t / nu
	if z > 1e6 {
		return 0, 0
	}
	s := math.Sqrt(1 + z*z)
	delta := z * z / (1 + s)
	p := 1 / s
	return math.Sqrt(p) * debyeSum(nu, p), -nu*(delta-math.Log1p(delta/2)) - stirling(nu)
}

// debyeSum returns Σ_k (−1)^k U_k(p)/ν^k.
func debyeSum(nu, p float64) float64 {
	sum, power := 1.0, 1.0
	for _, u := range debye {
		power *= -p / nu
		v := 0.0
		for i := len(u) - 1; i >= 0; i-- {
			v = v*p*p + u[i]
		}
		sum += power * v
	}
	return sum
}

// stirling returns log Γ(ν) − ((ν−½)·log ν − ν + ½·log 2π).
func stirling(nu float64) float64 {
	m := 1 / (nu * nu)
	return (1./12 - m*(1./360-m*(1./1260-m/1680))) / nu
}

// debye holds the coefficients of U_k(p)/p^k as polynomials in p².
var debye = [...][]float64{
	{0.125, -0.20833333333333333333},
	{0.0703125, -0.40104166666666666667, 0.33420138888888888889},
	{0.0732421875, -0.8912109375, 1.8464626736111111111, -1.025812596450617284},
	{0.112152099609375, -2.3640869140625, 8.78912353515625, -11.207002616222993827, 4.669584423426247428},
	{0.227108001708984375, -7.3687943594796316964, 42.534998745388454861, -91.818241543240017361, 84.636217674600734632, -28.212072558200244877},
	{0.57250142097473144531, -26.491430486951555525, 218.19051174421159048, -699.57962737613254123, 1059.9904525279998779, -765.2524681411816423, 212.57013003921712286},
	{1.7277275025844573975, -108.0909197883946555, 1200.9029132163524628, -5305.6469786134031084, 11655.393336864533248, -13586.550006434137439, 8061.7221817373093845, -1919.4576623184069963},
	{6.0740420012734830379, -493.91530477308801242, 7109.5143024893637214, -41192.654968897551298, 122200.46498301745979, -203400.17728041553428, 192547.00123253153236, -96980.598388637513489, 20204.291330966148643},
}
