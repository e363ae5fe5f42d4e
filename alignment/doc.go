// Package alignment learns a kernel and fits ridge regression or support vector machines
// with it. The kernel is a sum of members of a family, such as Gaussians of all
// bandwidths, with the largest alignment of its Gram matrix to the targets. It is a kernel
// of one bandwidth if that predicts unseen rows as well.
//
// # Alignment
//
// For the Gram matrix K of n rows and their targets Y, with C = I − 1·1ᵀ/n, the centred
// alignment is the cosine
//
//	F(K) = <C·K·C, T> / (‖C·K·C‖·‖T‖),   T = C·Y·Yᵀ·C,
//
// for the inner product <A, B> = Σ A_ij·B_ij. [Search] maximises it over sums Σ eta_t·k_t of
// kernels of a family with a continuous parameter (Afkanpour, Szepesvári and Bowling,
// "Alignment Based Kernel Learning with a Continuous Set of Base Kernels", 2011,
// Algorithm 1). Each iteration adds the kernel in the direction of which F grows fastest,
// with the weight that maximises F. The search ends when F grows by less than a tolerance.
//
// A kernel of larger alignment may predict worse. By default the sum is therefore selected
// only if its kernel ridge regression has a significantly lower error on unseen rows than
// the best kernel of one bandwidth. Criterion = Alignment omits this comparison, as the
// paper does.
//
// # Families
//
// The search finds its start in the data for [kernel.Gaussian], kernel.Laplacian,
// kernel.Matern and kernel.Dirichlet, and for a [kernel.ARD] of them, which has a bandwidth
// for each column. It starts from the given parameters for any other [kernel.Parametric],
// including user-defined kernels.
//
// For a kernel of one distance, F and its gradient depend on the rows only through
// histograms of distances and the row sums of K. One pass over the pairs of rows computes
// the histograms. Each kernel then costs microseconds and needs no matrix. A logarithmic
// grid and Brent's method find the best bandwidth. For a bandwidth in each column, L-BFGS
// starts from the best common bandwidth, with a penalty on the spread of the bandwidths.
//
// # Progress
//
// The phase "search" of the Recorder compares kernels of one bandwidth, or values of C. In
// the phase "kernel" Iteration is the number of kernels in the sum, and Objective is minus
// the alignment. The phases "factor", "rows" and "leave one out" count rows.
//
// # When to use it
//
// Use [Fit] and [FitClassifier] for up to about ten thousand rows. Use Search to learn a kernel
// for another learner of this module. Set a family for a parameter that no grid covers, for
// example frequencies, or bandwidths of many columns of which few are relevant.
package alignment
