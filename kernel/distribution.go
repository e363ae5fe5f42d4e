package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Distribution is the distribution of a random vector w of R^d, given as a function of
// numbers that are uniform on (0, 1), so that points of low discrepancy serve as well
// as independent ones. An Isotropic, as a value, can be drawn with orthogonal vectors
// too, and by Fastfood.
type Distribution interface {
	// Uniforms returns how many numbers make one vector of R^dim.
	Uniforms(dim int) int
	// FromUniforms sets w, m vectors of length dim one after the other, to those that u, as
	// many lists of Uniforms(dim) numbers, makes. It may overwrite u.
	FromUniforms(w, u []float64, dim int)
}

// FourierTransform is the family of the kernels of x − z,
//
//	E[cos <w, x−z>]  with w of the distribution Of, the spectral density,
//
// which is symmetric about zero (Bochner's theorem).
type FourierTransform struct{ Of Distribution }

// LaplaceTransform is the family of the kernels of x + z on nonnegative points,
//
//	E[exp(−<w, x+z>)]  with w ≥ 0 of the distribution Of.
type LaplaceTransform struct{ Of Distribution }

// Homogeneous is the family of the additive kernels of histograms
//
//	Σ_i √(x_i·z_i)·E[cos(w·log(x_i/z_i))]  with w in R symmetric about zero,
//
// which are homogeneous of degree 1. Source: Vedaldi and Zisserman, "Efficient
// additive kernels via explicit feature maps", IEEE PAMI 34, 2012.
type Homogeneous struct {
	// Quantile replaces uniform numbers by draws of w.
	Quantile func(u []float64)
	// Density replaces w ≥ 0 by its density; features.Sampled needs it, and
	// features.New does not.
	Density func(w []float64)
}

// Isotropic is the distribution of r·g with g standard normal on R^d and r > 0
// independent of it: the spectral density of a function of ‖x−z‖ that is positive
// definite in all dimensions (Schoenberg's theorem).
type Isotropic struct {
	// Scale is r where that is constant.
	Scale float64
	// Mixing, if not nil, replaces uniform numbers by draws of r, and Scale does not
	// count.
	Mixing func(u []float64)
}

func (p Isotropic) Uniforms(dim int) int {
	if p.Mixing == nil {
		return dim
	}
	return dim + 1
}

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

// Separable is the distribution of independent coordinates, of which Quantile
// makes each from a uniform number. It replaces numbers in place, each whatever the
// others are.
type Separable struct{ Quantile func(u []float64) }

func (p Separable) Uniforms(dim int) int { return dim }

func (p Separable) FromUniforms(w, u []float64, dim int) {
	copy(w, u)
	p.Quantile(w)
}

// scaled is the distribution of independent coordinates that are scale times what
// has the quantile function q.
func scaled(q func(u []float64), scale float64) Separable {
	return Separable{func(u []float64) {
		q(u)
		floats.Scale(scale, u)
	}}
}

// gammaMixing makes r = scale·√v, or scale/√v if it divides, v having the gamma
// distribution of the given shape.
func gammaMixing(shape, scale float64, divides bool) Isotropic {
	// Angles stay finite where the kernel is next to zero but on its diagonal.
	const largest = 1e150
	q := quantile.Gamma(shape)
	return Isotropic{Mixing: func(u []float64) {
		q(u)
		for i, v := range u {
			if divides {
				u[i] = min(scale/math.Sqrt(v), largest)
			} else {
				u[i] = scale * math.Sqrt(v)
			}
		}
	}}
}

func halfCauchyDensity(w []float64) {
	for i, v := range w {
		w[i] = 2 / math.Pi / (1 + float64(4*v*v))
	}
}
