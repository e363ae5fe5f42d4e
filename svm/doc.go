// Package svm trains support vector machines on any kernel for classification, regression and
// novelty detection. Each fit has a certificate of its distance from the optimum. The package
// reads and writes LIBSVM model files.
//
// # Problems
//
// All problems are over functions f of the space of a kernel k and a free constant b.
// [FitClassifier] minimises, for each pair of labels y_i = ±1,
//
//	‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(f(x_i) + b)),   C_i = C·w_i,
//
// with weights w of mean one, and predicts by a vote of the pairs. [Fit] minimises, for each column
// of targets,
//
//	‖f‖²/2 + Σ_i C_i·max(0, |y_i − f(x_i) − b| − epsilon).
//
// [FitNovelty] minimises, with nu = Options.Nu,
//
//	‖f‖²/2 + 1/(nu·n)·Σ_i w_i·max(0, r − f(x_i)) − r
//
// over f and r. Rows with f(x) < r are novel; at most the fraction nu of the training rows is. In
// all problems f = Σ_i β_i·k(·, x_i), and the rows with β_i ≠ 0 are the support vectors. The β
// solve the dual
//
//	max Σ_i y_i·β_i − epsilon·Σ_i |β_i| − ½·Σ_ij β_i·β_j·k(x_i, x_j),   Σ_i β_i = 0,
//
// with 0 ≤ y_i·β_i ≤ C_i and epsilon = 0 for labels, and |β_i| ≤ C_i for targets. Novelty has only
// the last term, with 0 ≤ β_i ≤ w_i/(nu·n) and Σ_i β_i = 1.
//
// # Selection
//
// The kernel search is the one described in package ridge. C is selected in five folds of up to 4000 rows from
// eleven values around the scale of the kernel, each √10 times the previous one. The smallest C
// with the lowest error wins. Report.Curve holds the errors.
//
// # Method
//
// The solver is the method of LIBSVM (Fan, Chen and Lin, "Working set selection using second order
// information for training support vector machines", JMLR 6, 2005) with working sets of 512
// variables and blocks of kernel values in double precision. The time grows between n² and n³.
//
// # Certificate
//
// The report has the dual objective and the least primal objective of the multiples a·f,
//
//	min_{a,b} a²·‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(a·f(x_i) + b)),
//
// found by alternating exact minimisation over scale and constant. The true minimum is between
// these two objectives. The fit ends when their relative difference is at most
// Options.Tolerance. The dual is strongly concave in f, so the minimiser f* satisfies
//
//	‖f − f*‖² ≤ 2·(Primal − Dual),   |f(x) − f*(x)| ≤ √k(x, x)·‖f − f*‖.
//
// # LIBSVM files
//
// [Classifier.WriteLIBSVM] writes models for svm-predict, and [ReadLIBSVM] reads models of svm-train. Sigmoid
// kernels, metrics and probabilities are not supported.
//
// # When to use it
//
// Use svm for up to about 10⁴ rows if you need margins or few support vectors, if targets have
// outliers, if the Gram matrix is precomputed, or to exchange models with LIBSVM. Use ridge for
// squared loss and up to 10⁵ rows, slkl for small models, doublysgd for more rows and streams, and
// doublysgd/novelty for novelties among many rows.
//
// Sources: Cortes and Vapnik, "Support-vector networks", Machine Learning 20, 1995; Smola and
// Schölkopf, "A tutorial on support vector regression", Statistics and Computing 14, 2004;
// Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, "Estimating the support of a
// high-dimensional distribution", Neural Computation 13, 2001; Chang and Lin, "LIBSVM: a library
// for support vector machines", ACM TIST 2, 2011; Cherkassky and Ma, "Practical selection of SVM
// parameters and noise estimation for SVM regression", Neural Networks 17, 2004, for epsilon.
package svm
