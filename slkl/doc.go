// Package slkl implements stochastic low-rank kernel learning: regression and classification with a
// learned conic combination of rank-one Nyström kernels, one for each landmark. Most landmarks get
// no weight.
//
// # The problem
//
// For landmarks x_1 … x_M, by default training rows, the columns c_m(x) = k(x, x_m)/√k(x_m, x_m) define the kernels
// k_m(x, z) = c_m(x)·c_m(z). With C the n×M matrix of c_m(x_i) at the n training rows and y their
// targets, [Fit] minimises the convex objective
//
//	F(mu) = yᵀ(I + C·diag(mu)·Cᵀ/lam)⁻¹y + nu·Σ mu_m,   mu ≥ 0
//
// with nu = Options.Penalty and lam = Options.Ridge (Machart, Peel, Anthoine, Ralaivola and Glotin,
// "Stochastic Low-Rank Kernel Learning for Regression", ICML 2011, eq. 14). It equals the Lasso
//
//	min_w ‖y − Cw‖² + 2·√(lam·nu)·‖w‖₁
//
// with the learned function f(x) = Σ w_m·c_m(x). Several outputs have a mu each, or share one
// (Options.Shared), which is a group Lasso. Several kernels give a column for each pair of a kernel
// and a landmark.
//
// # The norm
//
// Options.Noise adds the norm of f in the space of k, which separates nearly equal columns:
//
//	min_w ‖y − Cw‖² + Noise·‖f‖² + 2·√(lam·nu)·‖w‖₁.
//
// This is an elastic net (Zou and Hastie, "Regularization and variable selection via the elastic
// net", 2005) in the metric of the landmarks. It equals the Lasso with M more rows of C, a root of
// Noise·K, and targets of zero. As nu falls, f tends to kernel ridge regression on the landmarks. By
// default nu is the largest of PenaltyMax, PenaltyMax/10, PenaltyMax/100, … that raises the squared
// error by at most 1 %. If no such nu removes a tenth of the columns, Fit uses a negligible nu.
//
// # How it is solved
//
// The problem depends on the rows only through CᵀC, CᵀY and ‖Y‖². One pass adds them up, in batches,
// in any order, on any number of machines ([Learner]). The remaining cost does not depend on n.
// Coordinate steps to the exact minimum find the active columns. Steps on the optimality conditions
// then reach a relative duality gap of 1e-9, which the [Report] certifies.
//
// # Defaults
//
// K-fold cross-validation on the same sums selects the noise and then the penalty. Before that, Fit
// selects the kernel with the lowest leave-one-out error on the landmarks, for up to 2000 rows. A
// Learner, and a fit with Penalty and without Noise, use a Gaussian with the median distance of the
// landmarks.
//
// There are 1000 landmarks: 2000 if their error exceeds the error of the exact kernel by 2 %, 3000 if
// by 10 %. Each landmark needs at least two rows. MemoryLimit can reduce them to 100. With 1.5 rows
// for each landmark, a fit redraws two thirds of them in proportion to squared residuals, if such
// landmarks predict held-out rows significantly better.
//
// # When to use it
//
// Use slkl for up to millions of rows and thousands of landmarks if you want a small model, a
// certified optimum, or the learned kernel ([Model.Kernel]). Memory is O(M²) for any n. Other learners
// of this module suit functions that need tens of thousands of features, and streams that drift.
package slkl
