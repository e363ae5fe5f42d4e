package kernel

// Kernel is a symmetric positive semidefinite function of two points.
//
// Eval returns k(x, y). It is called from several goroutines at once, only with points that passed Check, and panics if
// their lengths differ. Other methods are found by type assertion on the interfaces below. A kernel that has only Eval
// works everywhere, but is slower.
//
// A type that embeds a kernel of this package inherits its computation, to the bit. It may add methods, but Check
// returns an error if its Eval differs. To build another kernel from one, hold it in a named field.
type Kernel interface {
	Eval(x, y []float64) float64
}

// Radial is a kernel that depends only on the squared Euclidean distance.
type Radial interface {
	Kernel
	// OfSquaredDistance replaces each squared distance d_i = ‖x−z‖² ≥ 0 by the kernel value.
	OfSquaredDistance(d []float64)
}

// InnerProduct is a kernel that depends only on the inner product.
type InnerProduct interface {
	Kernel
	// OfInnerProduct replaces each inner product s_i = <x,z> by the kernel value.
	OfInnerProduct(s []float64)
}

// Domain is a kernel that is undefined at some points of R^d.
type Domain interface {
	Kernel
	// Outside returns the first column of x outside of the domain and the reason ("is negative"), or a negative column.
	Outside(x []float64) (column int, reason string)
}

// Validator is a kernel that checks its own parameters.
type Validator interface {
	Kernel
	// Validate returns an error that wraps rkhs.ErrOption and names field and value if a parameter is out of range, and
	// an error that wraps rkhs.ErrShape if the kernel does not accept points of length dim. Length 0 means any.
	Validate(dim int) error
}

// Parameter is a nonnegative parameter of a kernel.
type Parameter struct {
	Name  string
	Value float64
}

// Parametric is a kernel with parameters that can be learned by gradients.
type Parametric interface {
	Kernel
	// Parameters lists the parameters in a fixed order.
	Parameters() []Parameter
	// WithParameters returns the kernel with new values, in the order of Parameters. It panics if their number differs.
	WithParameters(values []float64) Kernel
	// LogGradient sets dst_i = ∂k(x,y)/∂(log θ_i) for the parameters θ and returns their number. dst may be longer.
	LogGradient(dst, x, y []float64) int
}

// ScaleDifferentiable is a kernel with a derivative by the scale of each coordinate. ARD uses it.
type ScaleDifferentiable interface {
	Kernel
	// ScaleGradient sets dst_i = ∂k(x/s, y/s)/∂(log s_i) at s = 1, where x/s divides each coordinate by its own scale.
	ScaleGradient(dst, x, y []float64)
}
