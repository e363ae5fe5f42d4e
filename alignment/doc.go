// Package alignment learns a kernel: a sum of members of a family of kernels,
// such as Gaussians of all bandwidths, whose Gram matrix agrees with the targets
// as well as it can; and then a support vector machine or a ridge regression on
// it.
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
// (kernel.ARD) the gradient guides a search by L-BFGS from the best common one,
// with a penalty that draws the bandwidths together.
//
// # When to use it
//
// Use Search to choose the bandwidth of a kernel, or several at once, in a
// fraction of the time of cross-validation, and for families whose grid would be
// too large: frequencies, or a bandwidth for each column where many columns are
// irrelevant. The kernel that it returns is an ordinary one for every learner of
// this module. Fit and FitClassifier add what a few thousand rows need; where
// there are more, give the kernel to a learner made for many rows.
//
// Alignment is not error: a kernel of larger alignment may predict worse, above
// all where bandwidths of many columns are learned from few rows. The penalty is
// for that, and is chosen on rows that are not learned from.
package alignment
