package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Matern is the kernel
//
//	k(x, z) = 2^(1−Nu)/Γ(Nu) · t^Nu · K_Nu(t),  t = √(2·Nu)·‖x−z‖/Length
//
// on R^d with the modified Bessel function K_Nu of the second kind. Its functions have derivatives of every order
// below Nu. Nu = 1/2 is exp(−‖x−z‖/Length). The limit for Nu → ∞ is the Gaussian with Sigma = Length. For Nu = 1/2,
// 3/2, 5/2, ... the kernel is a polynomial times exp(−t) and costs little more than a Gaussian. Any other Nu costs a
// Bessel function for each value. Nu is not among the Parameters. Source: Rasmussen and Williams, "Gaussian processes
// for machine learning", 2006, eq. (4.14).
type Matern struct {
	Nu     float64 // smoothness, positive, at most 1e8
	Length float64 // length scale, positive
}

func (k Matern) profile() maternProfile { return newMaternProfile(k.Nu, k.Length) }

func (k Matern) Eval(x, y []float64) float64 {
	return k.profile().at(gram.SquaredDistance(x, y))
}

// OfSquaredDistance implements Radial.
func (k Matern) OfSquaredDistance(d []float64) { gram.ApplyAll(k.profile(), d) }

// ofSquaredDistance is OfSquaredDistance without allocation.
func (k Matern) ofSquaredDistance(d, scratch []float64) {
	p := k.profile()
	if p.mu != 0.5 || p.steps > 2 {
		p.Apply(d, scratch)
		return
	}
	for i, r2 := range d {
		t := p.inverse * math.Sqrt(r2)
		scratch[i] = -t
		d[i] = 1
		switch p.steps {
		case 1:
			d[i] += t
		case 2:
			d[i] += t + float64(t*t)/3
		}
	}
	compute.Exp(scratch[:len(d)], scratch[:len(d)])
	floats.Mul(d, scratch[:len(d)])
}

func (k Matern) engine() gram.Engine {
	families := map[float64]compute.Family{0.5: compute.Matern12, 1.5: compute.Matern32, 2.5: compute.Matern52}
	if f, ok := families[k.Nu]; ok {
		return gram.Fused(k, compute.Func{Family: f, A: math.Sqrt(2*k.Nu) / k.Length})
	}
	return gram.WithProfile(compute.SquaredDistance, k.profile())
}

func (k Matern) structure() gram.Structure {
	return gram.Structure{OfSquaredDistance: k.ofSquaredDistance}
}

func (k Matern) validate(int) error {
	if !(k.Nu >= 1e-8 && k.Nu <= 1e8) {
		return fmt.Errorf("kernel: Matern.Nu is %v, want a number between 1e-8 and 1e8: %w", k.Nu, rkhs.ErrOption)
	}
	return checkLength("Matern.Length", k.Length)
}

func (k Matern) logGradient(dst, x, y []float64) int {
	dst[0] = k.profile().slope(gram.SquaredDistance(x, y))
	return 1
}

func (k Matern) scaleGradient(dst, x, y []float64) {
	r2 := gram.SquaredDistance(x, y)
	if r2 == 0 {
		clear(dst[:len(x)])
		return
	}
	gram.SquaredDifferences(dst, x, y, k.profile().slope(r2)/r2)
}

func (k Matern) describe(d *gram.Description) {
	d.Distance = gram.SquaredEuclidean
	d.LessDiagonal = func(dst, s []float64) {
		copy(dst, s)
		k.OfSquaredDistance(dst[:len(s)])
		floats.AddConst(-1, dst[:len(s)])
	}
}

// family has frequencies of Student's distribution with 2·Nu degrees of freedom: g·√(2ν/u)/ℓ, where u has the χ²
// distribution, twice a gamma variate.
func (k Matern) family() (Kernel, any) {
	const largest = 1e150 // keeps angles finite if the kernel is nearly zero off its diagonal
	scale := math.Sqrt(k.Nu) / k.Length
	return k, FourierTransform{gammaMixing(k.Nu, func(v float64) float64 { return min(scale/math.Sqrt(v), largest) })}
}

// parameters omits Nu: the derivative by it has no closed form.
func (k Matern) parameters() []Parameter           { return []Parameter{{"Length", k.Length}} }
func (k Matern) withParameters(v []float64) Kernel { return Matern{k.Nu, only(v)} }
func (k Matern) String() string                    { return literal(k) }

// maternProfile is M_ν(t) = 2^(1−ν)/Γ(ν)·t^ν·K_ν(t) as a function of r², where t = √(2ν)·r/ℓ. Up to debyeNu it starts
// from the Bessel functions of order at most 3/2 and applies
//
//	M_{ν+1} = M_ν + t²/(4ν(ν−1))·M_{ν−1},
//
// a sum of positive numbers in [0, 1]. Above debyeNu it uses the expansion in 1/ν that is uniform in t.
type maternProfile struct {
	nu, inverse float64 // ν, √(2ν)/ℓ
	mu          float64 // ν minus a whole number, in (−1/2, 1/2]
	steps       int     // ν = mu + steps
	gamma       float64 // 2^−mu/Γ(mu+1)
}

const (
	debyeNu = 50
	// maternFar is greater than any t with a nonzero value up to debyeNu.
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

// Depth implements gram.Profile.
func (p maternProfile) Depth() int { return 1 }

// Apply implements gram.Profile with one call of exp for many values.
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

// climb returns M_ν, given M_{mu+1} = m and M_{mu+2} − M_{mu+1} = step.
func (p maternProfile) climb(m, step, t float64) float64 {
	below := m
	for i := 1; i < p.steps; i++ {
		below, m = m, m+step
		nu := p.mu + float64(i+1)
		step = t * t / (4 * nu * (nu - 1)) * below
	}
	return m
}

// slope returns the derivative of the kernel by log ℓ at squared distance r2, 2^(1−ν)/Γ(ν)·t^(ν+1)·K_{ν−1}(t).
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
