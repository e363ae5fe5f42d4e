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
// points and the error of leaving out the others, and each Step reports both. All
// outputs share the dictionary.
//
// Points are removed one by one, always the one whose loss costs least after all
// weights are fitted again (destructive kernel orthogonal matching pursuit), which a Cholesky factor with insertion and deletion
// makes O(M²) for M points of the dictionary, and less for a point that goes in
// the step in which it came. The factor stays exact over any number of steps;
// points that the dictionary spans already are folded into it.
//
// # How to use it
//
// [Fit] and [FitClassifier] take passes over a matrix. [NewLearner] and
// [NewClassLearner] make learners that take what comes: Update for a mini-batch or a
// single row, Learn for an iterator, and Model for a snapshot at any time. Last says
// what a step did, and Report sums the steps up. Both measure before the function
// moves, so that the running [Totals] are the error on rows not seen before.
//
// Kernel, ridge, step size and intercept follow from the data unless they are given. The
// kernel is searched for on the first rows by exact leave-one-out of kernel ridge regression,
// as far as MaxPoints points carry it. Unless a Rate is given, steps are not those of the
// paper but in a metric in which the rows vary alike in all directions that a sample of them
// knows and the points carry: plain steps learn the few directions of large variance, and
// the others in hundreds of passes. For a mini-batch of B rows, the largest eigenvalue lam_1 of P·K/n and the mean kappa of
// k(x, ·)·P·k(x, ·) in that metric P, both measured anew when the points have changed, the size of a step is
//
//	a/(lam_1 + kappa/B),
//
// at most 0.5/Ridge, and less for a row that would move its own score by more than a: loss.Rate, a third of it for a loss
// with kinks, times the mean absolute deviation of the targets for a loss in their unit. A stream holds its first rows back until it can set
// these. Where the number of rows to come is known, the steps fall in proportion; where it
// is not, they stay and the model is an average of the functions over time, of which the
// progressive error is reported. Fit ends with the exact weights of the squared loss on the
// points that were found, of labels too unless a loss is asked for, and with the exact constant of
// every loss of real targets.
//
// A single wrong target moves a learner of the squared loss by no more than one of twelve
// times the usual residual does; targets beyond 1e130 are an error.
//
// A learner is saved with all its state and goes on bit for bit; a [Model] is the
// points and weights alone, for serving, which Expansion returns. rkhs.Save and
// rkhs.Load write and open the files of all of them. [Merge] makes one model of several
// that were learned apart.
//
// # When to use it
//
// Use polk when rows arrive one after the other, when the function may drift (with
// the schedule Constant), or when the model must be small and fast: some tens of
// points in few dimensions, up to some thousands in many. On a fixed data set
// that fits the memory, package slkl finds the optimum of its problem and
// certifies it, and random features in great numbers can be more accurate.
//
// A budget above the step learns nothing, silently in the algorithm as published;
// here such a step says that it stalled, and a fit that did nothing else is an
// error.
package polk
