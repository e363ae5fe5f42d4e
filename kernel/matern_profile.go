package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// maternProfile is M_ν(t) = 2^(1−ν)/Γ(ν)·t^ν·K_ν(t) as a function of r², where
// t = √(2ν)·r/ℓ. Up to debyeNu it climbs from the Bessel functions of order at
// most 3/2 by
//
//	M_{ν+1} = M_ν + t²/(4ν(ν−1))·M_{ν−1},
//
// a sum of positive numbers none of which leaves [0, 1]; above, it takes the
// expansion in 1/ν that is uniform in t.
type maternProfile struct {
	nu, inverse float64 // ν, √(2ν)/ℓ
	mu          float64 // ν less a whole number, in (−1/2, 1/2]
	steps       int     // ν = mu + steps
	gamma       float64 // 2^−mu/Γ(mu+1)
}

const (
	debyeNu = 50
	// maternFar is beyond any t at which a value up to debyeNu is not zero.
	maternFar = 3000
)

func newMaternProfile(nu, length float64) maternProfile {
	steps := math.Ceil(nu - 0.5)
	mu := nu - steps
	return maternProfile{
		nu: nu, inverse: math.Sqrt(2*nu) / length,
		mu: mu, steps: int(steps), gamma: math.Exp2(-mu) / math.Gamma(mu+1),
	}
}

// at returns the kernel at squared distance r2.
func (p maternProfile) at(r2 float64) float64 { return p.value(p.inverse * math.Sqrt(r2)) }

// value returns M_ν(t).
func (p maternProfile) value(t float64) float64 {
	factor, exponent := p.parts(t)
	return factor * math.Exp(exponent)
}

func (p maternProfile) Depth() int { return 1 }

// Apply implements gram.Profile, with one call of exp for many values.
func (p maternProfile) Apply(v, scratch []float64) {
	e := scratch[:len(v)]
	for i, r2 := range v {
		v[i], e[i] = p.parts(p.inverse * math.Sqrt(r2))
	}
	compute.Exp(e, e)
	floats.Mul(v, e)
}

// parts splits M_ν(t) into factor·exp(exponent).
func (p maternProfile) parts(t float64) (factor, exponent float64) {
	switch {
	case t == 0:
		return 1, 0
	case p.nu > debyeNu:
		return maternDebye(p.nu, t)
	case t > maternFar:
		return 0, 0
	case p.mu == 0.5 && p.steps == 0:
		return 1, -t
	case p.mu == 0.5:
		return p.climb(1+t, t*t/3, t), -t
	case p.steps == 0:
		return maternFactor(p.nu, t) * besselLow(p.nu, t), -t
	}
	k0, k1 := besselK(p.mu, t)
	u := p.gamma * math.Pow(t, p.mu+1)
	return p.climb(u*k1, u*t/(2*(p.mu+1))*k0, t), -t
}

// climb goes from M_{mu+1} = m and M_{mu+2} − M_{mu+1} = step to M_ν.
func (p maternProfile) climb(m, step, t float64) float64 {
	below := m
	for i := 1; i < p.steps; i++ {
		below, m = m, m+step
		nu := p.mu + float64(i+1)
		step = t * t / (4 * nu * (nu - 1)) * below
	}
	return m
}

// slope returns the derivative of the kernel by log ℓ at squared distance r2,
// which is 2^(1−ν)/Γ(ν)·t^(ν+1)·K_{ν−1}(t).
func (p maternProfile) slope(r2 float64) float64 {
	t := p.inverse * math.Sqrt(r2)
	switch {
	case t == 0:
		return 0
	case p.nu > 1:
		return t * t / (2 * (p.nu - 1)) * newMaternProfile(p.nu-1, 1).value(t)
	case t > maternFar:
		return 0
	}
	return maternFactor(p.nu, t) * t * besselLow(1-p.nu, t) * math.Exp(-t)
}

// maternFactor returns 2^(1−ν)/Γ(ν)·t^ν for ν ≤ 1.
func maternFactor(nu, t float64) float64 {
	return math.Exp2(1-nu) * math.Pow(t, nu) / math.Gamma(nu)
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
