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
// on R^d, K_Nu being the modified Bessel function of the second kind. Its
// functions have derivatives of every order below Nu: Nu = 1/2 is
// exp(−‖x−z‖/Length), and Nu → ∞ is the Gaussian with Sigma = Length. Where Nu is
// half an odd number the kernel is a polynomial times exp(−t) and costs little
// more than a Gaussian; any other Nu costs a Bessel function for each value.
// Source: Rasmussen and Williams, "Gaussian processes for machine learning",
// 2006, eq. (4.14).
type Matern struct {
	Nu     float64 // smoothness, positive, at most 1e8
	Length float64 // length scale, positive
}

func (k Matern) profile() maternProfile { return newMaternProfile(k.Nu, k.Length) }

func (k Matern) Eval(x, y []float64) float64 {
	return k.profile().at(gram.SquaredDistance(x, y))
}

func (k Matern) OfSquaredDistance(d []float64) { gram.ApplyAll(k.profile(), d) }

// ofSquaredDistance is OfSquaredDistance with memory of its own for as many numbers.
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

func (k Matern) engine(self Kernel) gram.Engine {
	families := map[float64]compute.Family{0.5: compute.Matern12, 1.5: compute.Matern32, 2.5: compute.Matern52}
	if f, ok := families[k.Nu]; ok {
		return gram.Fused(self, compute.Func{Family: f, A: math.Sqrt(2*k.Nu) / k.Length})
	}
	return gram.WithProfile(self, compute.SquaredDistance, k.profile())
}

func (k Matern) structure() gram.Structure {
	return gram.Structure{OfSquaredDistance: k.ofSquaredDistance}
}

const maxNu = 1e8

func (k Matern) validate(int) error {
	if !(k.Nu >= 1e-8 && k.Nu <= maxNu) {
		return fmt.Errorf("kernel: Matern.Nu is %v, want a positive number between 1e-8 and %g: %w", k.Nu, maxNu, rkhs.ErrOption)
	}
	return checkLength("Matern.Length", k.Length)
}

// parameters implements Parametric. Nu is no parameter: the derivative by it has
// no closed form.
func (k Matern) parameters() []Parameter { return []Parameter{{"Length", k.Length}} }

func (k Matern) withParameters(v []float64) Kernel {
	return Matern{k.Nu, only(v)}
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

func (k Matern) lessDiagonal(dst, s []float64) {
	copy(dst, s)
	k.OfSquaredDistance(dst[:len(s)])
	for i := range s {
		dst[i]--
	}
}

// representation implements Represented: frequencies of Student's distribution of
// 2·Nu degrees of freedom, g·√(2ν/u)/ℓ with u from χ², twice a gamma variate.
func (k Matern) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: FourierTransform{gammaMixing(k.Nu, math.Sqrt(k.Nu)/k.Length, true)}}
}

func (k Matern) distance() gram.Distance { return gram.SquaredEuclidean }
func (k Matern) String() string          { return literal(k) }
