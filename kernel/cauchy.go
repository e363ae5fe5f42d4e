package kernel

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Cauchy is the product over coordinates
//
//	k(x, z) = Π_i 1 / (1 + ((x_i−z_i)/Sigma)²)
//
// on R^d. Source: Rahimi and Recht, "Random features for large-scale kernel
// machines", NIPS 2007, figure 1.
type Cauchy struct {
	Sigma float64 // length scale, positive
}

func (k Cauchy) Eval(x, y []float64) float64 {
	return 1 / k.denominator(x, gram.SameLength(x, y), 1/k.Sigma)
}

// denominator divides nothing: the one division of a value is left to the caller.
func (k Cauchy) denominator(x, y []float64, inverse float64) float64 {
	p, q := 1.0, 1.0
	for len(x) >= 2 && len(y) >= 2 {
		u, v := (x[0]-y[0])*inverse, (x[1]-y[1])*inverse
		p *= 1 + u*u
		q *= 1 + v*v
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		u := (x[0] - y[0]) * inverse
		p *= 1 + u*u
	}
	return p * q
}

func (k Cauchy) row(dst, x []float64, z blas64.General) {
	inverse := 1 / k.Sigma
	for j := range dst {
		dst[j] = 1 / k.denominator(x, compute.Row(z, j), inverse)
	}
}

func (k Cauchy) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i := range x {
		s += k.slope(x[i] - y[i])
	}
	dst[0] = s * k.Eval(x, y)
	return 1
}

func (k Cauchy) scaleGradient(dst, x, y []float64) {
	v := k.Eval(x, y)
	for i := range x {
		dst[i] = v * k.slope(x[i]-y[i])
	}
}

// slope is the derivative of −log(1 + (d/s)²) by log s.
func (k Cauchy) slope(d float64) float64 {
	u := d / k.Sigma
	return 2 * u / (1/u + u)
}

func (k Cauchy) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: FourierTransform{scaled(quantile.Laplace, 1/k.Sigma)}}
}

func (k Cauchy) validate(int) error                { return checkLength("Cauchy.Sigma", k.Sigma) }
func (k Cauchy) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Cauchy) withParameters(v []float64) Kernel { return Cauchy{only(v)} }
func (k Cauchy) String() string                    { return literal(k) }
func (k Cauchy) engine(Kernel) gram.Engine         { return gram.Loop(k.row) }
