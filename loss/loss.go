package loss

// A Loss is a Scalar or a Multiclass loss, convex in the score. What else a learner
// wants to know of it is asked by the functions of this package, each of which looks
// for a method of its own name, so that a loss of another package, or one that embeds
// a loss of this one, is treated as its methods say.
type Loss interface {
	// Curvature bounds the second derivative of the loss in f, of a Multiclass
	// loss the largest eigenvalue of its Hessian: +Inf of a loss with kinks, which
	// learners treat by other means than a smooth one.
	Curvature() float64
	// String is the expression that makes the loss.
	String() string
}

// Scalar is a loss of one score f and one target y.
type Scalar interface {
	Loss
	Value(f, y float64) float64
	// Derivative is dl/df, at a kink one of the subgradients.
	Derivative(f, y float64) float64
}

// Multiclass is a loss of the scores of all classes, of which class is the right
// one: an index into f. Both methods panic if it is not.
type Multiclass interface {
	Loss
	Value(f []float64, class int) float64
	// Gradient sets dst to dl/df, at a kink to one of the subgradients. dst may
	// be f. It panics if the lengths differ.
	Gradient(dst, f []float64, class int)
}
