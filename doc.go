// Package rkhs is the root of a library for scalable kernel learning. It is for data that
// need more than a linear model and less than a neural network. It defines the interfaces,
// the errors, the progress reports, the status and the file functions shared by all learners.
// A model is a function in the reproducing kernel Hilbert space (RKHS) of a kernel.
//
// # Selecting a learner
//
// Each learner is a package. Packages slkl, doublysgd, alignment and polk each implement one
// paper. Learners do not depend on each other.
//
//   - ridge implements kernel ridge regression and classification, exact or with
//     landmarks. It can learn a metric of the columns. Use it for the most accurate
//     predictions on tables of up to about 10⁵ rows.
//   - slkl learns a sparse combination of rank-one kernels, one for each landmark,
//     for regression and classification. Use it for up to millions of rows and
//     thousands of landmarks if you need a small model, an optimality certificate or
//     the learned kernel itself. It reads the rows once, optionally in batches; its
//     memory does not depend on their number.
//   - doublysgd learns a function of random features. The model stores a seed and
//     coefficients, so its size does not depend on the number of columns. Use it for
//     regression, classification and quantiles with many rows or with a stream, if
//     accuracy matters more than model size. Related packages are doublysgd/gp for
//     Gaussian process posteriors, doublysgd/novelty for novelty detection and
//     doublysgd/ratio for density ratios.
//   - alignment learns a kernel: its bandwidths from a continuous family, one for all
//     columns or one for each. Use it if the kernel is unknown. It fits a support
//     vector machine or a ridge regression with up to some thousands of rows. Every
//     other learner accepts the learned kernel.
//   - svm implements support vector machines for classification, regression and
//     novelty detection, with any kernel or a Gram matrix, for up to about ten
//     thousand rows. Use it for large margins, few support vectors, robust regression
//     or model exchange with LIBSVM.
//   - polk learns from a stream with a small dictionary. One budget bounds both the
//     dictionary size and the error of the compression. Use it for unbounded streams
//     or functions that drift.
//
// Package kernel defines kernels, their algebra and operations on them. Package features provides explicit
// features of each kernel. Package loss defines the losses of the stochastic learners. Package dataset
// reads files, SQL queries and Go structs into tables, and splits, scales and scores rows; its packages
// parquet, arrow and excel read these formats. Package recipe fits learners to tables and structs: it
// converts columns of any kind to numbers. Package selection compares learners and options by
// cross-validation. Package metric learns the relevance of columns. Packages formula, export and onnx
// export fitted models. Package linalg provides factorizations with row and column updates.
//
// # Common properties of learners
//
// Fit(ctx, x, y, opts) accepts any mat.Matrix and copies the data that it keeps. It does not
// modify its arguments. Nil options or zero fields select documented defaults that are
// derived from the data. An option that the selected mode does not use is an error.
//
// A [Model], or a [Classifier] for labels, is immutable and safe for concurrent use. Its
// Report describes the fit: what was selected, how the solver ended and, for most solvers, a
// bound of the distance from the optimum. A stream learner adds batches with Update; a batch
// with an error does not change the learner.
//
// Invalid data or options, nil or zero models and nil contexts cause errors that wrap the errors of this
// package, never panics. The same seed gives the same bits for any number of workers; fits on amd64 and on
// other architectures may differ by rounding. If the context stops a fit, or the fit misses its tolerance,
// it returns the best model so far and an error.
//
// Rows can have weights; see [Weighted]. A row with weight w counts as w equal rows. Rows can
// be sparse; see [Sparse].
//
// Learners query the properties of a kernel or a loss through its methods. A user-defined
// kernel or loss, or one that embeds a kernel or loss of this module, is treated according to
// its own methods. A kernel that has only Eval works if no random features are needed.
//
// # Files
//
// [Save] and [Load] write and read the models and learners of all packages. A loaded model
// predicts the same bits, and a loaded learner continues where it stopped. Load determines
// the type from the file header; T is the expected type:
//
//	err := rkhs.Save("model.rkhs", m)
//	...
//	m, err := rkhs.Load[*slkl.Model]("model.rkhs") // or Load[rkhs.Model] for any model
//
// [Write] and [Read] do the same with a stream. To save a model with a user-defined kernel or
// loss, register it with kernel.Register or loss.Register.
package rkhs
