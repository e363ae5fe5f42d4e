// Package rkhs is the root of a library for scalable kernel learning: for when a
// neural net is too much and a linear model too little. It holds what all learners
// share: the interfaces of their models, the way to save and load any of them, the
// errors that they wrap, the progress that they report, and the status with which a
// fit ends.
//
// # Which learner when
//
// Each learner is a package of its own, slkl, doublysgd, alignment and polk the working form
// of one paper each, and none knows of another.
//
//   - ridge is kernel ridge regression and classification, exact or on many centres, on a
//     metric of the columns that it learns. Take it for the best answer to a table of up to
//     some 10⁵ rows.
//   - slkl learns a sparse combination of rank-one kernels, one for each landmark,
//     for regression and classification. Take it for up to millions of rows and
//     thousands of landmarks, where a small model, a certificate of optimality or
//     the learned kernel itself is wanted. One pass over the rows, in batches if
//     need be; the memory does not grow with them.
//   - doublysgd learns a function of random features, which it regenerates from
//     seeds: the model is a seed and coefficients, whose size does not depend on
//     the number of columns of the data. Take it where there are many rows and
//     accuracy counts more than the size of the model: regression, classification
//     and quantiles, on rows at hand or on a stream. Its tasks have packages of
//     their own: doublysgd/gp posteriors of Gaussian processes, doublysgd/novelty
//     rows that are unlike the others, doublysgd/ratio ratios of densities.
//   - alignment learns the kernel: bandwidths out of a continuous family, one for
//     all columns or one for each. Take it where the choice of the kernel is the
//     question; it ends in a support vector machine or a ridge regression for some
//     thousands of rows, and its kernel serves every other learner.
//   - svm is support vector machines for labels, regression and novelty, on any kernel
//     or a Gram matrix, for up to some ten thousand rows. Take it where the margin, few
//     support vectors or robust targets are wanted, or models of LIBSVM exchanged.
//   - polk learns from a stream and keeps its dictionary small, with one budget
//     that bounds both the points and the error of leaving others out. Take it
//     where rows arrive forever, or where the function drifts.
//
// Package kernel has the kernels, their algebra and the operations on them;
// package features the explicit features of each; package loss the losses of the
// stochastic learners; package dataset tables: how to read, split, scale and score
// them; package recipe makes numbers of their columns; package selection compares learners
// and options by folds; package metric learns which columns matter; packages formula, export
// and onnx write fitted models out; package linalg has the factorisations that change by a
// row or a column at a time.
//
// # What all learners promise
//
// Fit(ctx, x, y, opts) takes any mat.Matrix, copies what it keeps and writes to
// none. Nil options, or zero fields, mean documented defaults that are derived
// from the data; an option that the chosen mode does not use is refused by name.
// A [Model], of labels a [Classifier], is immutable, safe for concurrent use, and
// says in its Report how far from optimal it is. A learner of a stream takes in
// batches by Update, and a refused batch leaves no trace. Data and options at fault,
// models that are nil or zero and contexts that are nil are reported as errors that
// wrap those of this package, never by a panic. The same seed gives the same bits
// for any number of workers. A fit that is cancelled, or that ends short of its
// tolerance, returns the best model so far together with the error.
//
// Rows may have weights, [Weighted]: a row of weight w counts as w rows equal to it. They may be
// sparse, [Sparse].
//
// What a kernel or a loss can do is asked of it by method: one of your own, or one
// that embeds one of this library's, is treated as its methods say; a kernel that
// has Eval alone works wherever no random features of it are wanted.
//
// # Files
//
// [Save] and [Load] write and read models and learners of all packages; a model
// that was loaded predicts the same bits, and a learner goes on as if it had never
// been away. Load finds by the header of the file what it holds, and T says what is
// wanted of it:
//
//	err := rkhs.Save("model.rkhs", m)
//	...
//	m, err := rkhs.Load[*slkl.Model]("model.rkhs") // or, for whatever predicts, Load[rkhs.Model]
//
// [Write] and [Read] do the same with a stream. Kernels and losses of your own are
// registered by kernel.Register and loss.Register to be saved with the models that
// use them.
package rkhs
