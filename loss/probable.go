package loss

// Probable is a loss of labels ±1 whose scores stand for probabilities, as those of
// Logistic do.
type Probable interface {
	Scalar
	// Probability returns the probability of the label +1.
	Probability(f float64) float64
}

// MultiProbable is a loss of classes whose scores stand for probabilities, as those
// of Softmax do.
type MultiProbable interface {
	Multiclass
	// Probabilities sets dst_c to the probability of class c. dst may be f.
	Probabilities(dst, f []float64)
}
