package rkhs

import "gonum.org/v1/gonum/mat"

// Weighted is a matrix with a weight for each row. Pass it to a learner in place of the training
// rows, or to a score in place of the true values:
//
//	m, err := ridge.Fit(ctx, rkhs.Weighted{Matrix: x, Weights: w}, y, nil)
//
// A row of weight w counts as w equal rows. The loss l_i of row i is multiplied by its weight,
// and the mean over rows becomes Σ w_i·l_i/Σ w_i. A fit therefore depends only on ratios of
// weights. In a stream the scale matters: a batch with all weights 2 counts twice as much as
// one with weights 1 or without weights.
//
// Weights must be nonnegative (ErrDomain) and finite (ErrNotFinite). There must be one for each
// row (ErrShape), and at least one must be positive (ErrEmpty). Rows with zero weight, or less
// than 1e-100 of the largest, are ignored but must be finite. Prediction ignores weights. Other
// functions return an error that wraps ErrOption unless they document support for weights.
type Weighted struct {
	mat.Matrix
	Weights []float64
}
