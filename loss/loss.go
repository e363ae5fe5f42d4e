package loss

// A Loss is a Scalar or a Multiclass loss.
type Loss interface {
	// Curvature bounds the second derivative of the loss in f, of a Multiclass
	// loss the largest eigenvalue of its Hessian. Losses with kinks have no such
	// bound; they return the number by which step sizes are chosen in its place
	// and say so.
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

// Margin reports whether l is a loss of a score and a label y that is +1 or −1,
// which punishes small or negative y·f: Hinge, SquaredHinge, Logistic, and losses
// of other packages with a method Margin() bool that returns true.
func Margin(l Loss) bool {
	m, ok := l.(interface{ Margin() bool })
	return ok && m.Margin()
}
