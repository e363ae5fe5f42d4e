package gram

// Representation is a kernel written as k(x, z) = Gain·κ(e(x), e(z)), κ being a kernel of a family of which random
// features are known and e an embedding, nil for points as they are. See kernel.Representation.
type Representation struct {
	Of        Kernel
	Gain      float64
	Embedding Embedding
	Family    any
}

// RepresentationOf returns the representation of k for points of length dim. Errors wrap rkhs.ErrOption.
func RepresentationOf(k Kernel, dim int) (Representation, error) { return source.Represent(k, dim) }
