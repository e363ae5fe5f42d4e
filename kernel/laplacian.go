package kernel

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Laplacian is the kernel
//
//	k(x, z) = exp(−‖x−z‖₁ / Sigma)
//
// on R^d, with the sum of absolute differences as distance; in one dimension it
// is Matern with Nu = 1/2. Source: Rahimi and Recht, "Random features for
// large-scale kernel machines", NIPS 2007, figure 1.
type Laplacian struct {
	Sigma float64 // length scale, positive
}

func (k Laplacian) Eval(x, y []float64) float64 {
	return math.Exp(-gram.AbsoluteDistance(x, y) / k.Sigma)
}

func (k Laplacian) row(dst, x []float64, z blas64.General) {
	for j := range dst {
		dst[j] = -gram.AbsoluteDistance(x, compute.Row(z, j)) / k.Sigma
	}
	compute.Exp(dst, dst)
}

func (k Laplacian) logGradient(dst, x, y []float64) int {
	t := gram.AbsoluteDistance(x, y) / k.Sigma
	dst[0] = t * math.Exp(-t)
	return 1
}

func (k Laplacian) scaleGradient(dst, x, y []float64) {
	v := k.Eval(x, y)
	for i := range x {
		dst[i] = v * math.Abs(x[i]-y[i]) / k.Sigma
	}
}

func (k Laplacian) lessDiagonal(dst, s []float64) {
	for i, v := range s {
		dst[i] = math.Expm1(-v / k.Sigma)
	}
}

func (k Laplacian) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: FourierTransform{scaled(quantile.Cauchy, 1/k.Sigma)}}
}

func (k Laplacian) validate(int) error                { return checkLength("Laplacian.Sigma", k.Sigma) }
func (k Laplacian) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Laplacian) withParameters(v []float64) Kernel { return Laplacian{only(v)} }
func (k Laplacian) distance() gram.Distance           { return gram.Manhattan }
func (k Laplacian) String() string                    { return literal(k) }
func (k Laplacian) engine(Kernel) gram.Engine         { return gram.ManhattanLoop(k.row, k.Sigma) }
