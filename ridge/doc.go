// Package ridge implements kernel ridge regression and classification with a certificate of the
// accuracy. By default it selects the kernel, including a scale, a warping or a metric of the columns.
// It suits tables of up to about 10⁵ rows.
//
// # Problem
//
// For rows x_i and targets y_i, [Fit] minimises
//
//	(1/n)·Σ_i w_i·(y_i − b − f(x_i))² + lam·‖f‖²
//
// over f in the space of a kernel k and a free constant b, with weights w of mean one (see
// [rkhs.Weighted]) and lam = Options.Ridge. The solution is f = Σ_i a_i·k(·, x_i) with
//
//	(K + N)·a = y − b,   Σ_i a_i = 0,   K_ij = k(x_i, x_j),   N = n·lam·diag(1/w).
//
// Several columns of targets share k and lam. [FitClassifier] uses targets −1 and 1, one label against
// the rest, and predicts the label with the highest score. If the kernel or the ridge is not given, Fit
// selects them by leave-one-out error on a sample of the rows. It compares scales, encodings of codes
// (kernel.OneHot) and warpings (kernel.Warped) of the columns, families, bandwidths and ridges, and then
// learns a metric of the columns; see package metric. Report.Search lists the comparisons.
//
// # Solvers
//
// Up to 8000 rows Fit uses a Cholesky factor of K + N, which also gives the leave-one-out errors. Up
// to 10⁵ rows Fit uses preconditioned conjugate gradients for all outputs at once. It stores half of
// K if MemoryLimit allows it, and computes K at each step otherwise. The preconditioner has
// max(1000, √(n·(d + 16))) landmarks for the smooth part of K, and a sparse approximate inverse on
// nearest neighbours for the residual. Rough kernels with a small ridge need about ten steps.
//
// If MaxPoints is less than n, f is supported on that many landmarks, sampled by the residual of
// k(x, x). By default this is so if K is not stored and n²·(d + 16) exceeds 4·10¹¹, about 90 s on
// two processors. Conjugate gradients solve the normal equations in an orthonormal basis,
// O(n·m·(d + q)) for each step with m landmarks, or O(n·m·q) if MemoryLimit allows to store their
// kernel values. The preconditioner is the matrix of the landmarks and of eight times as many
// other rows.
//
// # Early stopping
//
// Above 30000 rows Fit holds out one row in ten, at most 1000, unless Tolerance is set. It stops
// when their error has not improved by .5 % during the last third of the steps, or the last ten
// steps if that is more (two with landmarks). Report.Residual may then exceed the default
// tolerance. K has single precision if it is not stored and the ridge is at least a hundred
// times the rounding error.
//
// # Certificate
//
// Let r = y − b − (K + n·lam·I)·a, with b such that Σ_i r_i = 0, and f* the minimiser. The weights
// of f* − f are δ = C(M + n·lam·I)⁻¹r with C = I − 1·1ᵀ/n and M = CKC. Therefore
//
//	‖f* − f‖² = δᵀKδ = rᵀ·M·(M + n·lam·I)⁻²·r ≤ ‖r‖²/(4·n·lam)
//
// because μ/(μ + s)² ≤ 1/(4s) for μ ≥ 0. On fewer landmarks f* is the minimiser on these, r is the
// residual of the normal equations, and ‖f* − f‖ ≤ ‖r‖/(n·lam). The report holds the relative
// residual and the bound. |f*(x) − f(x)| is at most √k(x, x) times the bound.
//
// Sources: Saunders, Gammerman and Vovk, "Ridge regression learning algorithm in dual variables",
// ICML 1998; Radhakrishnan, Beaglehole, Pandit and Belkin, "Mechanism for feature learning in
// neural networks and backpropagation-free machine learning models", Science 2024, for the metric;
// Díaz, Epperly, Frangella, Tropp and Webber, "Robust, randomized preconditioning for kernel ridge
// regression", 2023; Zhao, Xu, Huang, Chow and Xi, "An adaptive factorized Nyström preconditioner
// for regularized kernel matrices", 2024; Rudi, Carratino and Rosasco, "FALKON: an optimal large
// scale kernel method", NIPS 2017.
package ridge
