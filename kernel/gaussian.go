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

func (k Gaussian) Precision() float64 { return 1 / (2 * k.Sigma * k.Sigma) }

func (k Gaussian) Eval(x, y []float64) float64 {
	return math.Exp(-k.Precision() * gram.SquaredDistance(x, y))
}

func (k Gaussian) OfSquaredDistance(d []float64) {
	floats.Scale(-k.Precision(), d)
	compute.Exp(d, d)
}

func (k Gaussian) engine(self Kernel) gram.Engine {
	return gram.Fused(self, compute.Func{Family: compute.Gaussian, A: k.Precision()})
}

func (k Gaussian) LogGradient(dst, x, y []float64) int {
	t := k.Precision() * gram.SquaredDistance(x, y)
	dst[0] = 2 * t * math.Exp(-t)
	return 1
}

func (k Gaussian) ScaleGradient(dst, x, y []float64) {
	gram.SquaredDifferences(dst, x, y, 2*k.Precision()*k.Eval(x, y))
}

func (k Gaussian) LessDiagonal(dst, s []float64) {
	for i, v := range s {
		dst[i] = math.Expm1(-v / (2 * k.Sigma * k.Sigma))
	}
}

func (k Gaussian) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{Isotropic{Scale: 1 / k.Sigma}}}
}

func (k Gaussian) Validate(int) error                { return checkLength("Gaussian.Sigma", k.Sigma) }
func (k Gaussian) Parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Gaussian) WithParameters(v []float64) Kernel { return Gaussian{only(v)} }
func (k Gaussian) Distance() Distance                { return SquaredEuclidean }
func (k Gaussian) String() string                    { return literal(k) }
