package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Gaussian is the kernel
//
//	k(x, z) = exp(−‖x−z‖² / (2·Sigma²))
//
// on R^d. Papers that write exp(−‖x−z‖²/σ²) mean Sigma = σ/√2, and those that
// write exp(−γ‖x−z‖²) mean Sigma = 1/√(2γ).
type Gaussian struct {
	Sigma float64 // bandwidth, positive
}

func (k Gaussian) precision() float64 { return 1 / (2 * k.Sigma * k.Sigma) }

func (k Gaussian) Eval(x, y []float64) float64 {
	return math.Exp(-k.precision() * gram.SquaredDistance(x, y))
}

func (k Gaussian) OfSquaredDistance(d []float64) {
	floats.Scale(-k.precision(), d)
	compute.Exp(d, d)
}

func (k Gaussian) engine(self Kernel) gram.Engine {
	return gram.Fused(self, compute.Func{Family: compute.Gaussian, A: k.precision()})
}

func (k Gaussian) logGradient(dst, x, y []float64) int {
	t := k.precision() * gram.SquaredDistance(x, y)
	dst[0] = 2 * t * math.Exp(-t)
	return 1
}

func (k Gaussian) scaleGradient(dst, x, y []float64) {
	gram.SquaredDifferences(dst, x, y, 2*k.precision()*k.Eval(x, y))
}

func (k Gaussian) lessDiagonal(dst, s []float64) {
	for i, v := range s {
		dst[i] = math.Expm1(-v / (2 * k.Sigma * k.Sigma))
	}
}

func (k Gaussian) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: FourierTransform{Isotropic{Scale: 1 / k.Sigma}}}
}

func (k Gaussian) validate(int) error                { return checkLength("Gaussian.Sigma", k.Sigma) }
func (k Gaussian) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Gaussian) withParameters(v []float64) Kernel { return Gaussian{only(v)} }
func (k Gaussian) distance() gram.Distance           { return gram.SquaredEuclidean }
func (k Gaussian) String() string                    { return literal(k) }
