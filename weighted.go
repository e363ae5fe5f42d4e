package rkhs

import "gonum.org/v1/gonum/mat"

// Weighted are rows with a weight for each, in place of rows alone where a learner takes
// rows to learn from, and of the truth that a score compares with:
//
//	m, err := ridge.Fit(ctx, rkhs.Weighted{Matrix: x, Weights: w}, y, nil)
//
// A row of weight w counts as w rows would that are equal to it. The loss of row i is
// multiplied by its weight, and the mean over the rows becomes Σ w_i·l_i/Σ w_i, so that a
// fit goes by the ratios of weights alone: their scale, and equal weights, change nothing.
// To the batches of a stream the scale matters: a batch of weights 2 counts twice as much
// as one of weights 1, or as one without weights.
//
// Weights are not negative (ErrDomain), finite (ErrNotFinite), one for each row (ErrShape)
// and not all zero (ErrEmpty). A row of weight zero, or of less than 1e-100 of the largest,
// is left out, though what it holds must be finite. Where rows predict rather than teach,
// weights are of no account; wherever else nothing is said of weights they are refused
// (ErrOption).
type Weighted struct {
	mat.Matrix
	Weights []float64
}
