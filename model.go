package rkhs

import "gonum.org/v1/gonum/mat"

// Model is a fitted function of the rows of a matrix, as every learner of this module
// returns one. It is immutable and safe for concurrent use.
type Model interface {
	// Dims returns the number of inputs d and of outputs q.
	Dims() (inputs, outputs int)
	// Predict returns f(x), n×q for rows x, n×d; of a Classifier their labels, n×1.
	Predict(x mat.Matrix) (*mat.Dense, error)
	// PredictTo is Predict into dst, which must have that size or be empty.
	PredictTo(dst *mat.Dense, x mat.Matrix) error
}

// Classifier is a Model that predicts labels.
type Classifier interface {
	Model
	// Labels returns the labels in the order of the classes.
	Labels() []int
	// Scores returns the raw scores f(x) that the labels are decided by.
	Scores(x mat.Matrix) (*mat.Dense, error)
}
