package kernel

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Dirichlet is the Dirichlet kernel of degree one,
//
//	k(x, z) = 1 + 2·cos(Sigma·(x−z)),
//
// on R, and the product of that over the coordinates on R^d:
//
//	k(x, z) = Π_i (1 + 2·cos(Sigma·(x_i−z_i)))
//
// Its functions are a constant and one frequency in each coordinate; k(x, x) is
// 3^d, which overflows for d > 646. The form
// 1 + 2·cos(Sigma·‖x−z‖) that the source prints is the same on R but is not
// positive semidefinite for d > 1. Source: Afkanpour, Szepesvári and Bowling,
// "Alignment based kernel learning with a continuous set of base kernels", 2011,
// section 3.1.
type Dirichlet struct {
	Sigma float64 // angular frequency, positive
}

func (k Dirichlet) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	p := 1.0
	for i, v := range x {
		p *= 1 + 2*math.Cos(k.Sigma*(v-y[i]))
	}
	return p
}

// mapRow maps a row to the cosines and sines of Sigma·x_i. The product is taken
// with its rounding error: cosines of differences then keep their digits however
// far the rows are from the origin.
func (k Dirichlet) mapRow(dst, x []float64) {
	d := len(x)
	for i, v := range x {
		t := k.Sigma * v
		s, c := math.Sincos(t)
		es, ec := math.Sincos(math.FMA(k.Sigma, v, -t))
		dst[i], dst[d+i] = c*ec-s*es, s*ec+c*es
	}
}

func (k Dirichlet) mappedRow(dst, x []float64, z blas64.General) {
	d := len(x) / 2
	for j := range dst {
		zj := compute.Row(z, j)
		p := 1.0
		for i, c := range x[:d] {
			p *= 1 + 2*(c*zj[i]+x[d+i]*zj[d+i])
		}
		dst[j] = p
	}
}

func (k Dirichlet) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Doubling(k.mapRow), gram.Loop(k.mappedRow))
}

func (k Dirichlet) logGradient(dst, x, y []float64) int {
	// p and g are the product and its derivative over the coordinates so far.
	p, g := 1.0, 0.0
	for i, v := range x {
		t := k.Sigma * (v - y[i])
		s, c := math.Sincos(t)
		f := 1 + 2*c
		p, g = p*f, g*f-p*2*s*t
	}
	dst[0] = g
	return 1
}

// representation implements Represented: coordinates −Sigma, 0 or Sigma.
func (k Dirichlet) representation(dim int) gram.Representation {
	gain := 1.0
	for range dim {
		gain *= 3
	}
	return gram.Representation{Of: k, Gain: gain, Family: FourierTransform{scaled(quantile.Thirds, k.Sigma)}}
}

func (k Dirichlet) validate(int) error                { return checkLength("Dirichlet.Sigma", k.Sigma) }
func (k Dirichlet) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Dirichlet) withParameters(v []float64) Kernel { return Dirichlet{only(v)} }
func (k Dirichlet) amplitude() float64                { return 2 }
func (k Dirichlet) String() string                    { return literal(k) }
