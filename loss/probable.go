package loss

// Probable is a loss of labels ±1 with a map from scores to probabilities, such as Logistic.
type Probable interface {
	Scalar
	// Probability returns the probability of the label +1.
	Probability(f float64) float64
}

// MultiProbable is a loss of classes with a map from scores to probabilities, such as Softmax.
type MultiProbable interface {
	Multiclass
	// Probabilities sets dst_c to the probability of class c. dst may be f.
	Probabilities(dst, f []float64)
}
