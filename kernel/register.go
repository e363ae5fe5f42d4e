package kernel

import (
	"encoding"
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

// own lists the kernels of this package.
var own = []Kernel{
	Gaussian{}, Laplacian{}, Cauchy{}, Matern{}, RationalQuadratic{}, Linear{}, Polynomial{}, DotProduct{},
	ArcCosine{}, Dirichlet{}, AdditiveChiSquared{}, Hellinger{}, Intersection{}, JensenShannon{},
	SkewedChiSquared{}, SkewedIntersection{}, ExponentialSemigroup{}, ReciprocalSemigroup{},
	ARD{}, Sum{}, Product{}, Scale{}, LowRank{}, Projected{}, OneHot{},
}

var registry = codec.NewRegistry("kernel", own...)

// Register lets Marshal write kernels of type K under the given name, as the
// bytes of their MarshalBinary, and Unmarshal read them by decode, which must
// return an error for bytes that make no kernel and must not keep them. A good
// name starts with an import path. Call it from an init function. It panics if
// the name or the type is taken.
func Register[K interface {
	Kernel
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (K, error)) {
	registry.Add(name, reflect.TypeFor[K](), func(data []byte) (Kernel, error) { return decode(data) })
}
