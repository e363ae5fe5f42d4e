// Package quantile implements quantile functions of the distributions of random features. Each
// function replaces probabilities u in (0, 1) by quantiles. Sampling by quantiles works for independent
// and for low-discrepancy points. The functions give the same bits on every machine: they avoid
// machine-dependent functions of package math and products that a compiler may fuse.
package quantile

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Least replaces 0, where quantiles are infinite. It is half of the distance between drawn numbers.
const Least = 0x1p-54

// Normal is the quantile function of the standard normal distribution, accurate to about 1e-16 (Wichura,
// "Algorithm AS 241: the percentage points of the normal distribution", 1988).
func Normal(u []float64) {
	var tails []int
	var logs []float64
	for i, p := range u {
		if q := p - 0.5; math.Abs(q) <= 0.425 {
			s := 0.180625 - float64(q*q)
			u[i] = q * horner(&normalCentre[0], s) / horner(&normalCentre[1], s)
		} else {
			tails = append(tails, i)
			logs = append(logs, min(p, 1-p))
		}
	}
	compute.Log(logs, logs)
	for k, i := range tails {
		u[i] = math.Copysign(normalTail(math.Sqrt(-logs[k])), u[i]-0.5)
	}
}

// normalTail returns the distance from zero with the tail probability exp(−r²).
func normalTail(r float64) float64 {
	if r <= 5 {
		return horner(&normalMiddle[0], r-1.6) / horner(&normalMiddle[1], r-1.6)
	}
	return horner(&normalFar[0], r-5) / horner(&normalFar[1], r-5)
}

// horner returns Σ c_i xⁱ.
func horner(c *[8]float64, x float64) float64 {
	s := math.FMA(c[7], x, c[6])
	s = math.FMA(s, x, c[5])
	s = math.FMA(s, x, c[4])
	s = math.FMA(s, x, c[3])
	s = math.FMA(s, x, c[2])
	s = math.FMA(s, x, c[1])
	return math.FMA(s, x, c[0])
}

// Numerators and denominators of AS 241.
var (
	normalCentre = [2][8]float64{
		{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
			4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
		{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3},
	}
	normalMiddle = [2][8]float64{
		{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
	}
	normalFar = [2][8]float64{
		{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
	}
)

// Cauchy is the quantile function of the density 1/(π(1+w²)): −cot πu.
func Cauchy(u []float64) {
	folded(u, func(v []float64) {
		tangents(v, math.Pi)
		for i, t := range v {
			v[i] = 1 / t
		}
	})
}

// tangents replaces v by tan(scale·v).
func tangents(v []float64, scale float64) {
	c := make([]float64, len(v))
	for i := range v {
		v[i] *= scale
	}
	compute.Cos(c, v)
	compute.Sin(v, v)
	for i := range v {
		v[i] /= c[i]
	}
}

// Laplace is the quantile function of the density ½·exp(−|w|).
func Laplace(u []float64) {
	folded(u, func(v []float64) {
		for i := range v {
			v[i] *= 2
		}
		compute.Log(v, v)
	})
}

// Sech is the quantile function of the density sech πw: log(tan(πu/2))/π.
func Sech(u []float64) {
	folded(u, func(v []float64) {
		tangents(v, math.Pi/2)
		compute.Log(v, v)
		for i := range v {
			v[i] /= math.Pi
		}
	})
}

// folded computes the quantile of a symmetric distribution from its lower half, where u is small and
// accurate.
func folded(u []float64, lower func(v []float64)) {
	v := make([]float64, len(u))
	for i, p := range u {
		v[i] = min(p, 1-p)
	}
	lower(v)
	for i, p := range u {
		u[i] = math.Copysign(v[i], p-0.5)
	}
}

// SechDensity replaces w ≥ 0 by the density of Sech.
func SechDensity(w []float64) {
	for i, v := range w {
		w[i] = -math.Pi * v
	}
	compute.Exp(w, w)
	for i, e := range w {
		w[i] = 2 * e / (1 + float64(e*e))
	}
}

// Exponential is the quantile function of the density exp(−w), w ≥ 0, from above: −log u.
func Exponential(u []float64) {
	compute.Log(u, u)
	for i, v := range u {
		u[i] = -v
	}
}

// Levy is the quantile function of 1/(2z²) for a standard normal z, which has the Laplace transform
// exp(−√x). Values are finite.
func Levy(u []float64) {
	// The lower half of the normal distribution has the same squares.
	for i, v := range u {
		u[i] = v / 2
	}
	Normal(u)
	for i, z := range u {
		u[i] = min(0.5/z/z, 1e300)
	}
}

// Thirds is the quantile function of −1, 0 and 1 with equal probabilities.
func Thirds(u []float64) {
	for i, v := range u {
		u[i] = math.Floor(3*v) - 1
	}
}
