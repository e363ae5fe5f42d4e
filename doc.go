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
//   - doublysgd (to come) learns from random features that it draws anew from
//     seeds, so that a model is a seed and coefficients.
//   - alignment (to come) learns the bandwidths of a kernel and hands it to a
//     support vector machine or any other learner.
//   - polk (to come) learns online and keeps its dictionary small.
//
// Package kernel has the kernels, their algebra and the operations on them;
// package linalg the factorisations that change by a row or a column at a time.
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
