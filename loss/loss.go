package loss

// A Loss is a Scalar or a Multiclass loss, convex in the score. Functions of this package report its
// other properties by optional methods; see the package page.
type Loss interface {
	// Curvature bounds the second derivative of the loss in f, or the largest eigenvalue of the
	// Hessian of a Multiclass loss. It is +Inf for a loss with kinks.
	Curvature() float64
	// String returns the Go expression that creates the loss.
	String() string
}

// Scalar is a loss of one score f and one target y.
type Scalar interface {
	Loss
	Value(f, y float64) float64
	// Derivative returns dl/df, or a subgradient at a kink.
	Derivative(f, y float64) float64
}

// Multiclass is a loss of the scores f of all classes and the index of the true class. Its methods
// panic if class is out of range.
type Multiclass interface {
	Loss
	Value(f []float64, class int) float64
	// Gradient sets dst to dl/df, or to a subgradient at a kink. dst may be f. It panics if the
	// lengths differ.
	Gradient(dst, f []float64, class int)
}
