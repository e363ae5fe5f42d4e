package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
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
	// Map sets dst, of Width numbers, to e(x). nil takes points as they are.
	Map   func(dst, x []float64)
	Width int
	// Family is κ: FourierTransform, LaplaceTransform, Homogeneous, Linear, DotProduct,
	// Polynomial or ArcCosine, as values.
	Family any
}

// representationOf returns the representation of k for points of length dim. Errors
// wrap rkhs.ErrOption: k has none, does not give Gain, Of and a Family with all that it
// needs, or embeds a kernel and has other values than it. They are those of Check, too,
// where k is nil or a parameter out of range.
func representationOf(k Kernel, dim int) (r gram.Representation, err error) {
	defer refusePanic(k, &err)
	if err := validate(k, dim); err != nil {
		return r, err
	}
	switch of := k.(type) {
	case Represented:
		r = of.Representation(dim).internal()
	case interface {
		representation(dim int) gram.Representation
	}:
		r = of.representation(dim)
	default:
		return r, fmt.Errorf("kernel: %v has no random features, it is not Represented: %w", k, rkhs.ErrOption)
	}
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
	return r, gram.Agree(k, r.Of, dim)
}

// internal returns r with its map as an embedding.
func (r Representation) internal() gram.Representation {
	of := gram.Representation{Of: r.Of, Gain: r.Gain, Family: r.Family}
	if r.Map != nil {
		of.Embedding = gram.RowsEmbedding{Columns: r.Width, Map: r.Map}
	}
	return of
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
