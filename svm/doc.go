// Package svm is support vector machines on any kernel: labels, regression and novelty, each
// with a certificate of how far it is from the minimum of its problem, and model files of
// LIBSVM in and out.
//
// # The problems
//
// All are over functions f of the space of a kernel k and a constant b that is free.
// FitClassifier minimises, for each pair of labels, with y_i = ±1 for the rows of the two,
//
//	‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(f(x_i) + b)),   C_i = C·w_i,
//
// where w_i are weights of the rows, of mean one, or all one. Each pair has a vote (one against
// one). Fit minimises, for each column of targets,
//
//	‖f‖²/2 + Σ_i C_i·max(0, |y_i − f(x_i) − b| − epsilon),
//
// which takes no notice of errors below epsilon. FitNovelty minimises, for nu = Options.Fraction
// of the n rows,
//
//	‖f‖²/2 + 1/(nu·n)·Σ_i w_i·max(0, r − f(x_i)) − r
//
// over f and r: rows with f(x) < r are novel, no more than the fraction nu of those fitted to.
// In all of them f is Σ_i β_i·k(·, x_i), and the rows with β_i ≠ 0 are its support vectors:
// those inside of the margin, outside of the tube, or outside of where the rows lie, and those
// at its edge. The β are the solution of the dual
//
//	max Σ_i y_i·β_i − epsilon·Σ_i |β_i| − ½·Σ_ij β_i·β_j·k(x_i, x_j),   Σ_i β_i = 0,
//
// with 0 ≤ y_i·β_i ≤ C_i and no epsilon for labels and |β_i| ≤ C_i for targets; for one class it
// is the last term alone, with 0 ≤ β_i ≤ w_i/(nu·n) and Σ_i β_i = 1.
//
// # What is chosen
//
// Where the kernel is not given it is that of package ridge: of scales of the columns, a metric
// that is learned, families and bandwidths the one of which ridge regression predicts rows left
// out best. C is then that with the least error in five folds, of eleven around the scale of the
// kernel; the machines of each fold are solved for them from the smallest on, each from the
// solution before. Epsilon follows the error of the rows left out. The Report has what was
// compared.
//
// # How it is solved
//
// The variables are taken in working sets of 512 of those that violate the optimality conditions
// most, and within these pairs are optimised one after the other, selected by second-order
// information (Fan, Chen and Lin, "Working set selection using second order information for
// training support vector machines", JMLR 6, 2005): the method of LIBSVM, with kernel values in
// blocks and in double precision. Variables that stay at a bound are left out until the end, and
// rows of the Gram matrix that were used last are kept. The time grows between n² and n³.
//
// # The certificate
//
// The violation of the conditions says little of the objective: at a large C, margins that lack
// a thousandth cost C/1000 each. The report therefore has the dual objective, and the least
// primal objective of all multiples a·f, with the best constants, which is where such margins
// are whole again:
//
//	min_{a,b} a²·‖f‖²/2 + Σ_i C_i·max(0, 1 − y_i·(a·f(x_i) + b)),
//
// found by exact minimisation of this piecewise quadratic function over scale and constant in
// turn. The minimum lies between the two. The solution goes on until their difference relative
// to the larger, too, is at most Options.Tolerance. As the dual is strongly concave in f,
//
//	‖f − f*‖² ≤ 2·(Primal − Dual)
//
// for the minimiser f*, and |f(x) − f*(x)| is at most √k(x, x) times the root of that.
//
// # Files of LIBSVM
//
// WriteLIBSVM writes models that svm-predict reads, and ReadLIBSVM reads those of svm-train:
// linear, polynomial, rbf and precomputed kernels, svm_type c_svc, epsilon_svr and one_class, and
// nu_svc and nu_svr to be read. Not supported are the sigmoid, which is not positive
// semidefinite, other kernels of package kernel, such as those with a metric, and the
// probabilities of a file, which are left out.
//
// # When to use it
//
// Take svm for labels of up to some ten thousand rows, where the margin itself is wanted or
// support vectors are to be few; for regressions whose targets have outliers, which pull it with
// a weight of C at most; for exact machines on a kernel of your own or a Gram matrix; and where
// models have to be exchanged with LIBSVM. The model keeps the support vectors: of noisy labels
// or targets these are most of the rows.
//
// Use ridge where the squared loss fits: it is as good on most tables, has leave-one-out errors
// for nothing and takes up to 10⁵ rows and more. Use slkl for a small model of many rows,
// doublysgd for more rows than these, or a stream, and doublysgd/novelty for novelties among
// many rows; alignment where the kernel is the question, which ends in these machines if asked.
//
// Sources: Cortes and Vapnik, "Support-vector networks", Machine Learning 20, 1995; Smola and
// Schölkopf, "A tutorial on support vector regression", Statistics and Computing 14, 2004;
// Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, "Estimating the support of a
// high-dimensional distribution", Neural Computation 13, 2001; Chang and Lin, "LIBSVM: a library
// for support vector machines", ACM TIST 2, 2011; Cherkassky and Ma, "Practical selection of SVM
// parameters and noise estimation for SVM regression", Neural Networks 17, 2004, for epsilon.
package svm
