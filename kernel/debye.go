package kernel

import "math"

// maternDebye returns M_ν(t) = 2^(1−ν)/Γ(ν)·t^ν·K_ν(t) for ν above debyeNu, as
// factor·exp(exponent), by the expansion of K_ν(νz) that is uniform in z = t/ν
// (NIST DLMF 10.41.4), in which the powers are put together with those of
// Stirling's formula for Γ(ν) so that nothing large cancels:
//
//	M = exp(−ν·(δ − log(1 + δ/2)) − σ(ν)) · p^(1/2) · Σ_k (−1)^k U_k(p)/ν^k,
//	p = (1+z²)^(−1/2),  δ = 1/p − 1,  σ(ν) = log Γ(ν) − its leading terms.
//
// The first term left out is below 2e-16 at ν = 50.
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
