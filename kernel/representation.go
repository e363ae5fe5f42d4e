package kernel

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Represented is a kernel that states the random features it is the expectation of.
// Package features asks for nothing else: a kernel of your own that is Represented has
// all of its samplers. A type that embeds a kernel has its Representation.
type Represented interface {
	Kernel
	// Representation returns the representation of the kernel for points of length
	// dim.
	Representation(dim int) Representation
}

// Representation is a kernel written as
//
//	k(x, z) = Gain·κ(e(x), e(z)),
//
// κ being a kernel of a family whose random features are known and e an embedding.
type Representation struct {
	// Of is the kernel that this represents: the receiver of the method that returns
	// it. A type that embeds a kernel, and so has its method, is compared with it at a
	// few pairs of points, and refused if it has other values.
	Of Kernel
	// Gain is positive.
	Gain float64
	// Embedding is e. nil takes points as they are.
	Embedding Embedding
	// Family is κ: FourierTransform, LaplaceTransform, Homogeneous, Linear, DotProduct,
	// Polynomial or ArcCosine, as values; or features.Blocks.
	Family any
}

// RepresentationOf returns the representation of k for points of length dim. Errors
// wrap rkhs.ErrOption: k is not Represented, does not give Gain, Of and a Family with
// all that it needs, or embeds a kernel and has other values than it.
func RepresentationOf(k Kernel, dim int) (Representation, error) {
	of, ok := k.(Represented)
	if !ok {
		return Representation{}, fmt.Errorf("kernel: %v has no random features, it is not Represented: %w", k, rkhs.ErrOption)
	}
	r := of.Representation(dim)
	if !(r.Gain > 0) || r.Of == nil || !complete(r.Family) {
		return r, fmt.Errorf("kernel: the Representation of %v has Gain = %v, Of = %v and Family = %#v, want all three: %w", k, r.Gain, r.Of, r.Family, rkhs.ErrOption)
	}
	if f, ok := r.Family.(Kernel); ok {
		if err := validate(f, 0); err != nil {
			return r, err
		}
	}
	if p, ok := r.Family.(Polynomial); ok {
		r.Family = Polynomial{p.Degree, p.slope(), p.Offset}
	}
	return r, agree(k, r.Of, dim)
}

func complete(family any) bool {
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

func drawable(of Distribution) bool {
	p, ok := of.(Separable)
	return of != nil && !(ok && p.Quantile == nil)
}

// Representation implements Represented.
func (k Gaussian) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{Isotropic{Scale: 1 / k.Sigma}}}
}

// Representation implements Represented: frequencies of Student's distribution of
// 2·Nu degrees of freedom, g·√(2ν/u)/ℓ with u from χ², twice a gamma variate.
func (k Matern) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{gammaMixing(k.Nu, math.Sqrt(k.Nu)/k.Length, true)}}
}

// Representation implements Represented: frequencies g·√v/ℓ with v of mean 1 and the
// gamma distribution of shape Alpha.
func (k RationalQuadratic) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{gammaMixing(k.Alpha, 1/(k.Length*math.Sqrt(k.Alpha)), false)}}
}

// Representation implements Represented.
func (k Laplacian) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{scaled(quantile.Cauchy, 1/k.Sigma)}}
}

// Representation implements Represented.
func (k Cauchy) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{scaled(quantile.Laplace, 1/k.Sigma)}}
}

// Representation implements Represented: coordinates −Sigma, 0 or Sigma.
func (k Dirichlet) Representation(dim int) Representation {
	gain := 1.0
	for range dim {
		gain *= 3
	}
	return Representation{Of: k, Gain: gain, Family: FourierTransform{scaled(quantile.Thirds, k.Sigma)}}
}

// Representation implements Represented.
func (k SkewedChiSquared) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Embedding: logarithms(k.C), Family: FourierTransform{Separable{quantile.Sech}}}
}

// Representation implements Represented.
func (k SkewedIntersection) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Embedding: logarithms(k.C), Family: FourierTransform{scaled(quantile.Cauchy, 0.5)}}
}

// Representation implements Represented.
func (k ExponentialSemigroup) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: LaplaceTransform{scaled(quantile.Levy, k.Beta*k.Beta)}}
}

// Representation implements Represented.
func (k ReciprocalSemigroup) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: LaplaceTransform{scaled(quantile.Exponential, 1/k.Lambda)}}
}

// Representation implements Represented.
func (k AdditiveChiSquared) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: Homogeneous{quantile.Sech, quantile.SechDensity}}
}

// Representation implements Represented.
func (k Intersection) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: Homogeneous{scaled(quantile.Cauchy, 0.5).Quantile, halfCauchyDensity}}
}

// Representation implements Represented.
func (k JensenShannon) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: Homogeneous{quantile.JensenShannon, quantile.JensenShannonDensity}}
}

// Representation implements Represented.
func (k Linear) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: k}
}

// Representation implements Represented.
func (k Hellinger) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Embedding: RowEmbedding(roots), Family: Linear{}}
}

// Representation implements Represented: a column for each point.
func (k LowRank) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Embedding: k.embedding(), Family: Linear{}}
}

// Representation implements Represented.
func (k DotProduct) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: k}
}

// Representation implements Represented.
func (k Polynomial) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: k}
}

// Representation implements Represented.
func (k ArcCosine) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: k}
}
