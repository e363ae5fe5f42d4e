// Package alignment learns a kernel, and then a ridge regression on it, or support
// vector machines. The kernel is a sum of members of a family of kernels, such as
// Gaussians of all bandwidths, whose Gram matrix agrees with the targets as well as it
// can; or one of a single bandwidth, where that does as well on rows not learned from.
//
// # The problem
//
// For the Gram matrix K of n rows, and their targets Y, with C = I − 1·1ᵀ/n,
// the centred alignment is the cosine
//
//	F(K) = <C·K·C, T> / (‖C·K·C‖·‖T‖),   T = C·Y·Yᵀ·C,
//
// in the inner product <A, B> = Σ A_ij·B_ij. Search maximises it over all sums
// Σ eta_t·k_t of kernels k_t of a family that has a continuous parameter
// (Afkanpour, Szepesvári and Bowling, "Alignment Based Kernel Learning with a
// Continuous Set of Base Kernels", 2011). It adds one kernel at a time: the one in
// whose direction F grows fastest, with the weight at which F is largest, until F
// grows by less than a tolerance. No grid of parameters has to be chosen.
//
// Alignment is not error: a kernel of larger alignment may predict worse. By default the
// sum is therefore taken only where kernel ridge regression with it has less error, by
// more than one standard error, on rows that it was not learned from, than with the
// kernel of one bandwidth that has the least leave-one-out error. The report has the
// whole comparison. Criterion = Alignment is the method of the paper.
//
// # How it is solved
//
// What a family is, a kernel of one length, of one frequency, of a scale for each
// column, or any other with a gradient, is asked of its kernel: a type of your own that
// answers as a kernel of package kernel does is searched as that.
//
// Where kernels are functions of a distance, F and its gradient depend on the
// rows through histograms of distances and the sums of rows of K alone. One pass
// over the pairs of rows makes a histogram for each row; from there on a kernel
// is tried in microseconds, and no matrix is ever formed. A logarithmic grid and
// Brent's method find the best bandwidth. For a bandwidth in each column
// (kernel.ARD), which are first brought to one scale, the gradient guides a search by
// L-BFGS from the best common one, with a penalty that draws the bandwidths together.
//
// Ridge regression has a constant that is not penalised, and is exact up to 16000 rows;
// beyond, it is one on points drawn from the rows.
//
// # When to use it
//
// Use Fit and FitClassifier for up to some ten thousand rows. Use Search to choose a
// kernel alone, which is an ordinary one for every learner of this module. Give a family
// where its grid would be too large for anything else: frequencies, or a bandwidth for
// each column where many columns are irrelevant; the penalty keeps those from following
// the noise of few rows, and is chosen on rows that are not learned from.
package alignment
