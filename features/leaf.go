package features

import (
	"math"

	"github.com/rkhs-go/rkhs/kernel"
)

// A leaf is what is known of the features of one factor.
type leaf struct {
	gain float64
	d    int  // columns of x
	lift lift // what points go through first; may be nil
	// One of these is given.
	spectrum spectrum                          // Fourier features
	linear   bool                              // the lift, or x itself, is all
	maker    Maker                             // blocks that a user's kernel draws
	atoms    func(how Sampler) (atomic, error) // all other features
	// Beside atoms, what is better than these where it is not in a product.
	sketching *kernel.Polynomial
}

// inner returns the number of columns after the lift.
func (l leaf) inner() int {
	if l.lift == nil {
		return l.d
	}
	return l.lift.columns(l.d)
}

// leafOf returns the leaf of f for points of d columns.
func leafOf(f factor, d int) (leaf, bool) {
	l, ok := kernelLeaf(f.kernel, d)
	if !ok || f.scales == nil {
		return l, ok
	}
	if l.spectrum != nil && l.lift == nil {
		l.spectrum = divided{l.spectrum, f.scales}
		return l, true
	}
	if l.lift == nil {
		l.lift = dividing(f.scales)
	} else {
		l.lift = liftTwice{dividing(f.scales), l.lift}
	}
	return l, true
}

// kernelLeaf is the table of kernels.
func kernelLeaf(k kernel.Kernel, d int) (leaf, bool) {
	l := leaf{gain: 1, d: d}
	switch k := k.(type) {
	case Maker:
		l.maker = k
	case Spectral:
		zero := make([]float64, d)
		l.gain, l.spectrum = k.Eval(zero, zero), ofUser{k, d}
	default:
		if shiftInvariant(&l, k) || histogram(&l, k) || innerProduct(&l, k) {
			return l, true
		}
		return l, false
	}
	return l, true
}

// shiftInvariant fills l for kernels of x − z and those of log x − log z.
func shiftInvariant(l *leaf, k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Gaussian:
		l.spectrum = mixture{d: l.d, factor: 1 / k.Sigma}
	case kernel.Matern:
		// w = g·√(2ν/u)/ℓ with u from χ² of 2ν degrees, twice a gamma variate.
		l.spectrum = mixture{d: l.d, factor: math.Sqrt(k.Nu) / k.Length, mixing: newGamma(k.Nu).quantile, divides: true}
	case kernel.RationalQuadratic:
		// w = g·√v/ℓ with v of mean 1 and gamma distribution of shape α.
		l.spectrum = mixture{d: l.d, factor: 1 / (k.Length * math.Sqrt(k.Alpha)), mixing: newGamma(k.Alpha).quantile}
	case kernel.Laplacian:
		l.spectrum = marginals{l.d, cauchyQuantile, 1 / k.Sigma}
	case kernel.Cauchy:
		l.spectrum = marginals{l.d, laplaceQuantile, 1 / k.Sigma}
	case kernel.Dirichlet:
		l.gain, l.spectrum = powerOfThree(l.d), marginals{l.d, threeQuantile, k.Sigma}
	case kernel.SkewedChiSquared:
		l.lift, l.spectrum = logarithms(k.C), marginals{l.d, sechQuantile, 1}
	case kernel.SkewedIntersection:
		l.lift, l.spectrum = logarithms(k.C), marginals{l.d, cauchyQuantile, 0.5}
	default:
		return false
	}
	return true
}

func powerOfThree(n int) float64 {
	p := 1.0
	for range n {
		p *= 3
	}
	return p
}

// histogram fills l for the kernels of nonnegative coordinates.
func histogram(l *leaf, k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Hellinger:
		l.lift, l.linear = rowLift(roots), true
	case kernel.Intersection:
		l.additive(k, halfCauchy)
	case kernel.AdditiveChiSquared:
		l.additive(k, sechQuantile)
	case kernel.JensenShannon:
		l.additive(k, jensenShannonQuantile)
	case kernel.ExponentialSemigroup:
		l.decays(k, marginals{l.d, levyQuantile, k.Beta * k.Beta})
	case kernel.ReciprocalSemigroup:
		l.decays(k, marginals{l.d, exponentialQuantile, 1 / k.Lambda})
	default:
		return false
	}
	return true
}

func halfCauchy(u []float64) {
	cauchyQuantile(u)
	for i := range u {
		u[i] /= 2
	}
}

func (l *leaf) additive(k kernel.Kernel, q quantile) {
	d := l.d
	l.atoms = func(how Sampler) (atomic, error) {
		if how == Orthogonal || how == Fastfood {
			return nil, how.unfit(k, "it is no kernel of a distance")
		}
		return additive{d, q, how}, nil
	}
}

func (l *leaf) decays(k kernel.Kernel, m marginals) {
	l.spectral(k, m, func(how Sampler) atomic { return decays{m, how} })
}

// spectral sets atoms that draw from a spectrum without being Fourier features.
func (l *leaf) spectral(k kernel.Kernel, of spectrum, atoms func(Sampler) atomic) {
	d := l.d
	l.atoms = func(how Sampler) (atomic, error) {
		if how == Fastfood {
			return nil, how.unfit(k, "its features are no cosines")
		}
		how, err := how.samplerFor(k, of, d)
		return atoms(how), err
	}
}

// innerProduct fills l for the kernels of the inner product and the angle.
func innerProduct(l *leaf, k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Linear:
		l.linear = true
	case kernel.LowRank:
		l.lift, l.linear = newLowRank(k), true
	case kernel.DotProduct:
		l.monomials(k, k.Coefficients)
	case kernel.Polynomial:
		slope := k.Scale
		if slope == 0 {
			slope = 1
		}
		l.monomials(k, polynomialCoefficients(slope, k.Offset, k.Degree))
		l.sketching = &kernel.Polynomial{Degree: k.Degree, Scale: slope, Offset: k.Offset}
	case kernel.ArcCosine:
		d := l.d
		l.spectral(k, mixture{d: d, factor: 1}, func(how Sampler) atomic { return units{d, k.Order, how} })
	default:
		return false
	}
	return true
}

func (l *leaf) monomials(k kernel.Kernel, coefficients []float64) {
	d := l.d
	l.atoms = func(how Sampler) (atomic, error) {
		if how > Independent {
			return nil, how.unfit(k, "its features are drawn independently")
		}
		return monomials{d, coefficients}, nil
	}
}
