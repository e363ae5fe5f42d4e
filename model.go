package rkhs

import "gonum.org/v1/gonum/mat"

// Model is a fitted function of rows. All learners of this module return a Model. It is
// immutable and safe for concurrent use.
type Model interface {
	// Dims returns the number of inputs d and of outputs q.
	Dims() (inputs, outputs int)
	// Predict returns f(x), n×q for x n×d. A Classifier returns labels, n×1.
	Predict(x mat.Matrix) (*mat.Dense, error)
	// PredictTo stores the result of Predict in dst, which must have that size or be empty.
	PredictTo(dst *mat.Dense, x mat.Matrix) error
}

// Classifier is a Model that predicts labels.
type Classifier interface {
	Model
	// Labels returns the labels in class order.
	Labels() []int
	// Scores returns the scores f(x) that determine the labels.
	Scores(x mat.Matrix) (*mat.Dense, error)
}
