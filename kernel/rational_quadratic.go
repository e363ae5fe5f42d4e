package kernel

import (
	"cmp"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// RationalQuadratic is the kernel
//
//	k(x, z) = (1 + ‖x−z‖² / (2·Alpha·Length²))^(−Alpha)
//
// on R^d, a mixture of Gaussians of all bandwidths; Alpha → ∞ is the Gaussian with
// Sigma = Length. Source: Rasmussen and Williams, "Gaussian processes for machine
// learning", 2006, eq. (4.19).
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

func (k RationalQuadratic) OfSquaredDistance(d []float64) {
	for i, v := range d {
		d[i] = -k.Alpha * math.Log1p(k.argument(v))
	}
	compute.Exp(d, d)
}

// maxFusedAlpha keeps the rounding of 1 + r²/(2αℓ²), which the power amplifies
// by α, below 1e-14.
const maxFusedAlpha = 64

func (k RationalQuadratic) engine(self Kernel) gram.Engine {
	if k.Alpha <= maxFusedAlpha {
		return gram.Fused(self, compute.Func{Family: compute.RationalQuadratic, A: k.argument(1), P: k.Alpha})
	}
	return gram.OfDistance(self, k)
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

// representation implements Represented: frequencies g·√v/ℓ with v of mean 1 and the
// gamma distribution of shape Alpha.
func (k RationalQuadratic) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: FourierTransform{gammaMixing(k.Alpha, 1/(k.Length*math.Sqrt(k.Alpha)), false)}}
}

func (k RationalQuadratic) String() string { return literal(k) }
