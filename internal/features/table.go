package features

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// A factor is a factor of a product with the representation of its kernel.
type factor struct {
	of        kernel.Kernel // without its scales, for messages
	gain      float64
	d         int            // columns of x
	embedding gram.Embedding // includes the scales; may be nil
	family    any            // see kernel.Representation
	density   distribution   // of frequencies, for a kernel.FourierTransform
}

func newFactor(f scaledFactor, d int) (factor, error) {
	r, err := gram.RepresentationOf(f.of, d)
	if err != nil {
		return factor{}, fmt.Errorf("features: %w", err)
	}
	out := factor{of: f.of, gain: r.Gain, d: d, embedding: r.Embedding, family: r.Family}
	if t, ok := r.Family.(kernel.FourierTransform); ok {
		out.density = newDistribution(t.Of, out.width())
	}
	switch {
	case f.scales == nil:
	case out.shiftInvariant():
		out.density = divided{out.density, f.scales}
	case out.embedding == nil:
		out.embedding = dividing(f.scales)
	default:
		out.embedding = composition{dividing(f.scales), out.embedding}
	}
	return out, nil
}

// width returns the number of columns of embedded points.
func (f factor) width() int {
	if f.embedding == nil {
		return f.d
	}
	return f.embedding.Width(f.d)
}

// shiftInvariant reports whether f is a kernel of x − z.
func (f factor) shiftInvariant() bool { return f.density != nil && f.embedding == nil }

// exactColumns returns the number of columns that give f exactly, or 0.
func (f factor) exactColumns() int {
	if _, ok := f.family.(kernel.Linear); ok {
		return f.width()
	}
	return 0
}

// random returns the family of the kernel.
func (f factor) random(how Sampler) (family, error) {
	d := f.width()
	switch of := f.family.(type) {
	case kernel.FourierTransform:
		how, err := how.resolve(f.of, f.density, d)
		return fourier{d, f.density, how}, err
	case kernel.LaplaceTransform:
		rates := newDistribution(of.Of, d)
		how, err := how.resolveUnpaired(f.of, rates, d)
		return laplace{d, rates, how}, err
	case kernel.ArcCosine:
		how, err := how.resolveUnpaired(f.of, standardNormal(d), d)
		return arcCosine{d, of.Order, how}, err
	case kernel.Homogeneous:
		if how == Orthogonal || how == Fastfood {
			return nil, how.unfit(f.of, "it is no kernel of a distance")
		}
		return homogeneous{d, of.Quantile, how}, nil
	case kernel.Linear:
		return monomials{d, []float64{0, 1}}, nil
	case kernel.DotProduct:
		return monomials{d, of.Coefficients}, how.independently(f.of)
	case kernel.Polynomial:
		return monomials{d, polynomialCoefficients(of.Scale, of.Offset, of.Degree)}, how.independently(f.of)
	}
	return nil, fmt.Errorf("features: the family of %v is %T, which has no random features here: %w", f.of, f.family, rkhs.ErrOption)
}

// embeddedRandom returns the random features of embedded points.
func (f factor) embeddedRandom(how Sampler) (family, error) {
	r, err := f.random(how)
	if err != nil || f.embedding == nil {
		return r, err
	}
	return embedded{r, f.embedding, f.d}, nil
}
