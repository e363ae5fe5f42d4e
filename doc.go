// Package rkhs is the root of a library for scalable kernel learning: for when a
// neural net is too much and a linear model too little. It holds the vocabulary
// that all learners share: the errors that they wrap, the progress that they
// report, and the status with which a fit ends.
//
// # Which learner when
//
// Each learner is a package of its own, the working form of one paper, and none
// knows of another.
//
//   - slkl learns a sparse combination of rank-one kernels, one for each landmark,
//     for regression and classification. Take it for up to millions of rows and
//     thousands of landmarks, where a small model, a certificate of optimality or
//     the learned kernel itself is wanted. One pass over the rows, in batches if
//     need be; the memory does not grow with them.
//   - doublysgd learns a function of random features, which it regenerates from
//     seeds: the model is a seed and coefficients, whose size does not depend on
//     the number of columns of the data. Take it where there are many rows and
//     accuracy counts more than the size of the model: regression,
//     classification, quantiles, novelties and ratios of densities, on rows at
//     hand or on a stream, and posteriors of Gaussian processes.
//   - alignment learns the kernel: bandwidths out of a continuous family, one for
//     all columns or one for each. Take it where the choice of the kernel is the
//     question; it ends in a support vector machine or a ridge regression for some
//     thousands of rows, and its kernel serves every other learner.
//   - polk learns from a stream and keeps its dictionary small, with one budget
//     that bounds both the points and the error of leaving others out. Take it
//     where rows arrive forever, or where the function drifts.
//
// Package kernel has the kernels, their algebra and the operations on them;
// package features the explicit features of each; package loss the losses of the
// stochastic learners; package linalg the factorisations that change by a row or
// a column at a time.
//
// # What all learners promise
//
// Fit(ctx, x, y, opts) takes any mat.Matrix, copies what it keeps and writes to
// none. Nil options, or zero fields, mean documented defaults that are derived
// from the data. A Model is immutable, safe for concurrent use, can be saved and
// loaded with the same bits, and says how far from optimal it is. Data and
// options at fault are reported as errors that wrap those of this package, never
// by a panic. The same seed gives the same bits for any number of workers. A fit
// that is cancelled, or that ends short of its tolerance, returns the best model
// so far together with the error.
package rkhs
