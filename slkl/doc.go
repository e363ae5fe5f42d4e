// Package slkl is stochastic low-rank kernel learning: regression and
// classification with a kernel that is learned as a conic combination of rank-one
// Nyström kernels, one for each landmark, of which most get no weight.
//
// # The problem
//
// For landmarks x_1 … x_M the columns c_m(x) = k(x, x_m)/√k(x_m, x_m) define the
// kernels k_m(x, z) = c_m(x)·c_m(z). Fit minimises
//
//	F(mu) = yᵀ(I + C·diag(mu)·Cᵀ/lam)⁻¹y + nu·Σ mu_m,   mu ≥ 0
//
// (Machart, Peel, Anthoine, Ralaivola and Glotin, "Stochastic Low-Rank Kernel
// Learning for Regression", ICML 2011, eq. 14), with nu = Options.Penalty and lam =
// Options.Ridge, which is convex, and equals
//
//	min_w ‖y − Cw‖² + 2·√(lam·nu)·‖w‖₁,
//
// a Lasso whose solution is the learned function f(x) = Σ w_m·c_m(x). Several
// outputs have a mu each, or share one (Options.Shared), which makes a group
// Lasso. Several kernels at once make columns for each pair of kernel and
// landmark.
//
// # The norm beside the penalty
//
// The penalty alone leaves nearly equal columns without a scale, and shrinks what it keeps.
// With Options.Noise the objective is
//
//	min_w ‖y − Cw‖² + Noise·‖f‖² + 2·√(lam·nu)·‖w‖₁
//
// in the norm of the space of k, an elastic net (Zou and Hastie, "Regularization and
// variable selection via the elastic net", 2005) in the metric of the landmarks. It is the
// problem above for as many rows more as there are columns, with targets of zero and a root
// of Noise·K for C, so that F, the Lasso and the certificate remain what they are. As nu
// falls, f tends to kernel ridge regression on the landmarks. By default nu is as large as
// it can be without losing much of that: the same predictions by fewer columns. Where every
// column is needed it is next to nothing, and the model is that ridge regression.
//
// # How it is solved
//
// The problem depends on the data only through CᵀC, CᵀY and ‖Y‖². One pass over
// the rows adds them up, in batches, in any order, on any number of machines
// (Learner); from there on the cost does not depend on n. Coordinate steps to the
// exact minimum along the column that gains most find the columns that matter;
// steps on the optimality conditions then finish to a relative duality gap of
// 1e-9. The gap is in the Report of the model: a certificate that F is no further
// from its minimum. Where nu is not given, K-fold cross-validation chooses it, and the
// noise before it, from the same sums, without another pass: ridge regressions on the
// landmarks cost a factorisation each, and from the best of them penalties go up, each
// solution starting from the one before.
//
// By default the kernel comes from a search over scales of the columns, families and
// bandwidths on a sample of rows, judged by what the landmarks carry of each; where that is
// too little there are twice or three times as many landmarks. The Report tells of it. Where
// there are half as many rows again as landmarks, two thirds of these are then drawn anew, in
// proportion to the squared residuals of ridge regression on the first third, if as many of such
// predict rows held out better, beyond chance, than as many drawn uniformly: more of them lie where few
// leave much over, of labels where classes meet.
//
// # When to use it
//
// Use slkl for up to millions of rows and some hundreds or thousands of
// landmarks, when a small model, a certified optimum, or the learned kernel
// itself (Model.Kernel) is wanted. The memory is O(M²) whatever n is. When a
// model that grows with the data predicts better (tens of thousands of random
// features), or rows arrive forever and the function drifts, another learner of
// this module serves better.
package slkl
