// Package polk implements parsimonious online learning with kernels: regression and
// classification from a stream, by a function
//
//	f(x) = b + Σ_j k(d_j, x)·w_j
//
// over a small dictionary of points d_j, shared by all outputs (Koppel, Warnell, Stump and
// Ribeiro, "Parsimonious Online Learning with Kernels via Sparse Projections in Function
// Space", 2016, Algorithms 1 and 2).
//
// # Algorithm
//
// Each step reads a mini-batch of B rows and moves f against the gradient of the regularised
// loss,
//
//	f ← (1 − eta·lam)·f − eta/B·Σ_i l'(f(x_i), y_i)·k(x_i, ·),
//
// then removes points while the norm of the change of f is at most eps. The budget eps bounds both
// the number of points and the compression error, and each [Step] reports both. A step that the
// budget removes completely has no effect and reports that it stalled. If all steps stall, the fit
// returns an error.
//
// Destructive kernel orthogonal matching pursuit removes the cheapest point after all weights
// are refitted, one at a time. A removal updates a Cholesky factor in O(M²) for M points. The
// factor keeps full precision over any number of steps. Points in the span of the dictionary
// are folded into it.
//
// # Usage
//
// [Fit] and [FitClassifier] pass over a matrix. [NewLearner] and [NewClassLearner] create
// stream learners: Update accepts a mini-batch or a single row, Learn an iterator, and Model
// returns a snapshot. Last describes the last step and Report sums up all steps. Losses are
// measured before each update, so [Totals] are progressive validation errors.
//
// A saved learner resumes bit for bit. A [Model] holds only points and weights. [Merge]
// combines models of separate streams.
//
// # Defaults
//
// Kernel and ridge have the lowest leave-one-out error of kernel ridge regression on the first
// rows, with as many points as MaxPoints allows. For a loss in the unit of the targets
// ([loss.InTargetUnit]) the ridge is divided by their mean absolute deviation. For a loss
// without an exact solution it is at least 1e-5. A stream holds back Warmup rows to set the
// defaults.
//
// Without a Rate, a preconditioner P of the gradient damps directions of large variance. Plain steps
// would need hundreds of passes for the other directions. For the largest eigenvalue lam_1 of P·K/n and
// the mean kappa of k(x, ·)·P·k(x, ·), both updated with the dictionary, the step size is
//
//	a/(lam_1 + kappa/B),
//
// at most 0.5/Ridge, and less for a row that would move its own score by more than a. Here a is
// [loss.Rate], a third of it for a loss with kinks, times the mean absolute deviation of the
// targets for a loss in their unit.
//
// The step size decays linearly if the number of rows is known. Otherwise it is constant, and
// the model is a running average. Fit ends with the exact weights of the squared loss on the
// dictionary. It does the same for labels unless Options has a Loss. The constant of every
// regression loss is exact. The squared loss clips residuals at twelve times their mean.
// Targets above 1e130 in absolute value are an error.
//
// # Scope
//
// Use polk for rows that arrive one by one, for a function that drifts (with the schedule
// Constant), or for a small and fast model: tens of points in few dimensions, up to thousands
// in many. On a fixed data set in memory, package slkl certifies the optimum of its problem,
// and many random features can be more accurate.
package polk
