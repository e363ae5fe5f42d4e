// Package polk is parsimonious online learning with kernels: regression and
// classification from a stream, by a function
//
//	f(x) = Σ_j k(d_j, x)·w_j
//
// over a dictionary of points d_j that stays small.
//
// # How it learns
//
// Each step takes a mini-batch of B rows, moves f against the gradient of the
// regularised loss,
//
//	f ← (1 − eta·lam)·f − eta/B·Σ_i l'(f(x_i), y_i)·k(x_i, ·),
//
// and projects the result onto as few points as stay within the distance eps of
// it in the norm of the space of k (Koppel, Warnell, Stump and Ribeiro,
// "Parsimonious Online Learning with Kernels via Sparse Projections in Function
// Space", 2016, Algorithms 1 and 2). One budget so bounds both the number of
// points and the error of leaving out the others, and each Step reports both.
// All outputs share the dictionary.
//
// Points are removed one by one, always the one whose loss costs least after all
// weights are fitted again, which a Cholesky factor with insertion and deletion
// makes O(M²) for M points. The factor stays exact over any number of steps;
// points that the dictionary spans already are folded into it.
//
// # When to use it
//
// Use polk when rows arrive one after the other, when the function may drift, or
// when the model must be small and fast: some tens of points in few dimensions,
// up to some thousands in many. It is a first-order method: on a fixed data set
// that fits the memory, package slkl finds the optimum of its problem and
// certifies it, and random features in great numbers can be more accurate.
package polk
