package kernel

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Gaussian is the kernel
//
//	k(x, z) = exp(−‖x−z‖² / (2·Sigma²))
//
// on R^d. In papers that write exp(−‖x−z‖²/σ²), Sigma = σ/√2. In papers that write exp(−γ‖x−z‖²), Sigma = 1/√(2γ).
type Gaussian struct {
	Sigma float64 // bandwidth, positive
}

func (k Gaussian) precision() float64 { return 1 / (2 * k.Sigma * k.Sigma) }

func (k Gaussian) Eval(x, y []float64) float64 {
	return math.Exp(-k.precision() * gram.SquaredDistance(x, y))
}

// OfSquaredDistance implements Radial.
func (k Gaussian) OfSquaredDistance(d []float64) {
	floats.Scale(-k.precision(), d)
	compute.Exp(d, d)
}

func (k Gaussian) engine() gram.Engine {
	return gram.Fused(k, compute.Func{Family: compute.Gaussian, A: k.precision()})
}

func (k Gaussian) logGradient(dst, x, y []float64) int {
	t := k.precision() * gram.SquaredDistance(x, y)
	dst[0] = 2 * t * math.Exp(-t)
	return 1
}

func (k Gaussian) scaleGradient(dst, x, y []float64) {
	gram.SquaredDifferences(dst, x, y, 2*k.precision()*k.Eval(x, y))
}

func (k Gaussian) describe(d *gram.Description) {
	d.Precision, d.Distance = k.precision(), gram.SquaredEuclidean
	d.LessDiagonal = func(dst, s []float64) {
		for i, v := range s {
			dst[i] = math.Expm1(-v / (2 * k.Sigma * k.Sigma))
		}
	}
}

func (k Gaussian) family() (Kernel, any)             { return k, FourierTransform{Isotropic{Scale: 1 / k.Sigma}} }
func (k Gaussian) validate(int) error                { return checkLength("Gaussian.Sigma", k.Sigma) }
func (k Gaussian) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Gaussian) withParameters(v []float64) Kernel { return Gaussian{only(v)} }
func (k Gaussian) String() string                    { return literal(k) }

// RationalQuadratic is the kernel
//
//	k(x, z) = (1 + ‖x−z‖² / (2·Alpha·Length²))^(−Alpha)
//
// on R^d, a mixture of Gaussians of all bandwidths. Its limit for Alpha → ∞ is the Gaussian with Sigma = Length.
// Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, eq. (4.19).
type RationalQuadratic struct {
	Alpha  float64 // exponent, positive
	Length float64 // length scale, positive
}

// argument returns r²/(2·Alpha·Length²).
func (k RationalQuadratic) argument(r2 float64) float64 {
	return r2 / k.Length / k.Length / (2 * k.Alpha)
}

func (k RationalQuadratic) Eval(x, y []float64) float64 {
	return math.Exp(-k.Alpha * math.Log1p(k.argument(gram.SquaredDistance(x, y))))
}

// OfSquaredDistance implements Radial.
func (k RationalQuadratic) OfSquaredDistance(d []float64) {
	for i, v := range d {
		d[i] = -k.Alpha * math.Log1p(k.argument(v))
	}
	compute.Exp(d, d)
}

// engine is fused only for small Alpha: the power amplifies the rounding error of 1 + r²/(2αℓ²) by α. The bound keeps
// the error below 1e-14.
func (k RationalQuadratic) engine() gram.Engine {
	const maxFusedAlpha = 64
	if k.Alpha <= maxFusedAlpha {
		return gram.Fused(k, compute.Func{Family: compute.RationalQuadratic, A: k.argument(1), P: k.Alpha})
	}
	return gram.OfDistance(k)
}

func (k RationalQuadratic) validate(int) error {
	return cmp.Or(checkLength("RationalQuadratic.Alpha", k.Alpha), checkLength("RationalQuadratic.Length", k.Length))
}

func (k RationalQuadratic) parameters() []Parameter {
	return []Parameter{{"Alpha", k.Alpha}, {"Length", k.Length}}
}

func (k RationalQuadratic) withParameters(v []float64) Kernel {
	checkCount(v, 2)
	return RationalQuadratic{Alpha: v[0], Length: v[1]}
}

func (k RationalQuadratic) logGradient(dst, x, y []float64) int {
	u := k.argument(gram.SquaredDistance(x, y))
	l := math.Log1p(u)
	a := k.Alpha * math.Exp(-k.Alpha*l)
	dst[0] = -a * (l - u/(1+u))
	dst[1] = 2 * a * u / (1 + u)
	return 2
}

func (k RationalQuadratic) scaleGradient(dst, x, y []float64) {
	u := k.argument(gram.SquaredDistance(x, y))
	v := math.Exp(-k.Alpha*math.Log1p(u)) / (1 + u)
	gram.SquaredDifferences(dst, x, y, v/k.Length/k.Length)
}

// family has frequencies g·√v/ℓ, where v has the gamma distribution of shape Alpha and mean 1.
func (k RationalQuadratic) family() (Kernel, any) {
	scale := 1 / (k.Length * math.Sqrt(k.Alpha))
	return k, FourierTransform{gammaMixing(k.Alpha, func(v float64) float64 { return scale * math.Sqrt(v) })}
}

func (k RationalQuadratic) String() string { return literal(k) }
