package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Represented is a kernel with random features. All samplers of package features accept it. A type that embeds a
// kernel inherits its Representation.
type Represented interface {
	Kernel
	// Representation returns the representation of the kernel for points of length dim.
	Representation(dim int) Representation
}

// Representation is a kernel written as
//
//	k(x, z) = Gain·κ(e(x), e(z))
//
// for a kernel κ with known random features and an embedding e.
type Representation struct {
	// Of is the represented kernel: the receiver of the method. A type that embeds a kernel inherits the method. Its
	// values are compared with Of at a few pairs of points, and different values are an error.
	Of Kernel
	// Gain is positive.
	Gain float64
	// Map sets dst, of Width numbers, to e(x). A nil Map is the identity.
	Map   func(dst, x []float64)
	Width int
	// Family is κ: a FourierTransform, LaplaceTransform, Homogeneous, Linear, DotProduct, Polynomial or ArcCosine.
	Family any
}

// FourierTransform is the family of the kernels of x − z,
//
//	E[cos <w, x−z>]  with w from the distribution Of, the spectral density,
//
// which is symmetric about zero (Bochner's theorem).
type FourierTransform struct{ Of Distribution }

// LaplaceTransform is the family of the kernels of x + z on nonnegative points,
//
//	E[exp(−<w, x+z>)]  with w ≥ 0 from the distribution Of.
type LaplaceTransform struct{ Of Distribution }

// Homogeneous is the family of the additive kernels of histograms
//
//	Σ_i √(x_i·z_i)·E[cos(w·log(x_i/z_i))]  with w in R symmetric about zero,
//
// which are homogeneous of degree 1. Source: Vedaldi and Zisserman, "Efficient additive kernels via explicit feature
// maps", IEEE PAMI 34, 2012.
type Homogeneous struct {
	// Quantile replaces uniform numbers by draws of w.
	Quantile func(u []float64)
	// Density replaces w ≥ 0 by its density. Only features.Sampled needs it.
	Density func(w []float64)
}

// Distribution is the distribution of a random vector w of R^d as a function of uniform numbers on (0, 1), independent
// or of low discrepancy. Samplers can also draw an Isotropic with orthogonal vectors or by Fastfood.
type Distribution interface {
	// Uniforms returns how many numbers make one vector of R^dim.
	Uniforms(dim int) int
	// FromUniforms sets w, m consecutive vectors of length dim, from u, m lists of Uniforms(dim) numbers. It may
	// overwrite u.
	FromUniforms(w, u []float64, dim int)
}

// Isotropic is the distribution of r·g with g standard normal on R^d and r > 0 independent of g. It is the spectral
// density of a function of ‖x−z‖ that is positive definite in all dimensions (Schoenberg's theorem).
type Isotropic struct {
	// Scale is a constant r.
	Scale float64
	// Mixing, if not nil, replaces uniform numbers by draws of r. Scale is then ignored.
	Mixing func(u []float64)
}

// Uniforms implements Distribution.
func (p Isotropic) Uniforms(dim int) int {
	if p.Mixing == nil {
		return dim
	}
	return dim + 1
}

// FromUniforms implements Distribution.
func (p Isotropic) FromUniforms(w, u []float64, dim int) {
	width := p.Uniforms(dim)
	r := make([]float64, len(w)/dim)
	for i := range r {
		copy(w[i*dim:(i+1)*dim], u[i*width:])
		if p.Mixing != nil {
			r[i] = u[i*width+dim]
		}
	}
	quantile.Normal(w)
	p.Radii(r)
	for i, v := range r {
		floats.Scale(v, w[i*dim:(i+1)*dim])
	}
}

// Radii replaces uniform numbers by draws of r.
func (p Isotropic) Radii(u []float64) {
	if p.Mixing != nil {
		p.Mixing(u)
		return
	}
	for i := range u {
		u[i] = p.Scale
	}
}

// Separable is the distribution of independent coordinates. Quantile replaces uniform numbers by draws of a
// coordinate in place, one by one.
type Separable struct{ Quantile func(u []float64) }

// Uniforms implements Distribution.
func (p Separable) Uniforms(dim int) int { return dim }

// FromUniforms implements Distribution.
func (p Separable) FromUniforms(w, u []float64, dim int) {
	copy(w, u)
	p.Quantile(w)
}

// scaled is the distribution of independent coordinates that are scale times a number with quantile function q.
func scaled(q func(u []float64), scale float64) Separable {
	return Separable{func(u []float64) {
		q(u)
		floats.Scale(scale, u)
	}}
}

// gammaMixing is the distribution with radius r(v), where v has the gamma distribution of the given shape.
func gammaMixing(shape float64, r func(v float64) float64) Isotropic {
	q := quantile.Gamma(shape)
	return Isotropic{Mixing: func(u []float64) {
		q(u)
		for i, v := range u {
			u[i] = r(v)
		}
	}}
}

// representationOf returns the representation of k for points of length dim. A kernel of this package has a method
// family, if it is itself of a family, or representation. The error wraps rkhs.ErrOption if k has no representation or
// an incomplete one, or if k embeds a kernel but has other values. It is the error of Check if k is nil or has a
// parameter out of range.
func representationOf(k Kernel, dim int) (r gram.Representation, err error) {
	defer recoverError(k, &err)
	if err := validate(k, dim); err != nil {
		return r, err
	}
	switch k := k.(type) {
	case Represented:
		public := k.Representation(dim)
		r = gram.Representation{Of: public.Of, Gain: public.Gain, Family: public.Family}
		if public.Map != nil {
			r.Embedding = gram.RowEmbedding{Map: public.Map, Columns: func(int) int { return public.Width }}
		}
	case interface{ family() (Kernel, any) }:
		of, family := k.family()
		r = gram.Representation{Of: of, Gain: 1, Family: family}
	case interface {
		representation(dim int) gram.Representation
	}:
		r = k.representation(dim)
	default:
		return r, fmt.Errorf("kernel: %v has no random features, it is not Represented: %w", k, rkhs.ErrOption)
	}
	if !(r.Gain > 0) || r.Of == nil || !complete(r.Family) {
		return r, fmt.Errorf("kernel: the Representation of %v has Gain = %v, Of = %v and Family = %#v, want all three: %w",
			k, r.Gain, r.Of, r.Family, rkhs.ErrOption)
	}
	if f, ok := r.Family.(Kernel); ok {
		if err := validate(f, 0); err != nil {
			return r, err
		}
	}
	if p, ok := r.Family.(Polynomial); ok {
		r.Family = Polynomial{p.Degree, p.slope(), p.Offset}
	}
	return r, gram.Agree(k, r.Of, dim)
}

// complete reports whether a family has all functions that random features need.
func complete(family any) bool {
	drawable := func(of Distribution) bool {
		p, ok := of.(Separable)
		return of != nil && !(ok && p.Quantile == nil)
	}
	switch f := family.(type) {
	case FourierTransform:
		return drawable(f.Of)
	case LaplaceTransform:
		return drawable(f.Of)
	case Homogeneous:
		return f.Quantile != nil
	}
	return family != nil
}
