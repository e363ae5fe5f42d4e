// Package ridge is kernel ridge regression and classification on any kernel, solved to a
// certified accuracy: by default on a metric of the rows that was learned from them, the best
// answer that this module has for tables of up to some 10⁵ rows.
//
// # The problem
//
// For rows x_i and targets y_i, Fit minimises over f in the space of a kernel k and a
// constant b, which is free,
//
//	(1/n)·Σ_i (y_i − b − f(x_i))² + lam·‖f‖²,
//
// with lam = Options.Ridge. The solution is f = Σ_i a_i·k(·, x_i) with
//
//	(K + n·lam·I)·a = y − b,   Σ_i a_i = 0,   K_ij = k(x_i, x_j).
//
// Rows of weights w of mean one, rkhs.Weighted, make it (1/n)·Σ_i w_i·(y_i − b − f(x_i))²,
// and lam·n·I in the equations diag(lam·n/w): row i has noise of the variance of the others
// over w_i.
//
// Several columns of targets share k and lam. FitClassifier does this for targets of −1 and
// 1, one label against the rest, and predicts the label of the largest score. Where kernel
// and ridge are not given, they are those of which rows of a sample are best predicted
// by the others: of metrics, families, bandwidths and ridges (see package metric).
//
// # How it is solved
//
// Up to 8000 rows by a Cholesky factor of K + n·lam·I, in n² numbers of memory, which also
// tells the error of each row if it is predicted from all others (Report.LeaveOneOut).
//
// Up to 10⁵ rows by preconditioned conjugate gradients for all outputs at once, with half
// of K kept where MemoryLimit lets it, and computed at each step otherwise. The
// preconditioner joins a thousand centres, or √(n·(d + 16)) of them where that is more and takes a
// quarter of MemoryLimit at most, which carry what is smooth, and for what these leave
// an approximate inverse of few elements a row, of its nearest neighbours: rough kernels
// with ridges down to where rounding ends take some ten steps, in place of hundreds with
// centres alone. Of smooth kernels in many columns, where no row is near, centres are alone.
//
// Beyond, or where MaxPoints is less than the rows, f sits on so many points, chosen by what
// their predecessors leave of k(x, x), and conjugate gradients solve the normal equations
// of their orthonormal functions: O(n·m·(d + q)) a step for m points. The preconditioner is
// the matrix of the points and of eight times as many other rows, drawn by what a few hundred
// of the points leave of k(x, x).
//
// Of more than 30000 rows some are held out by default, and the solution ends where their
// error falls no more (Options.Patience). Report.Residual is then larger than the tolerance:
// further steps would not lower the error. Where the matrix is computed at each step, and the
// ridge is a hundred times what rounding would be, its values are in single precision.
//
// # The certificate
//
// With r = y − b − (K + n·lam·I)·a, b such that Σ r_i = 0, and f* the minimiser, the weights
// of f* − f are δ = C(CKC + n·lam·I)⁻¹r for C = I − 1·1ᵀ/n, and so
//
//	‖f* − f‖² = δᵀKδ = rᵀ·M·(M + n·lam·I)⁻²·r ≤ ‖r‖²/(4·n·lam),   M = CKC,
//
// as μ/(μ + s)² ≤ 1/(4s) for all μ ≥ 0. On fewer points the minimiser f* is that among the
// functions on these, r the residual of (EᵀCE + n·lam·I)·a = EᵀC·y, and ‖f* − f‖ ≤ ‖r‖/(n·lam).
// The report holds ‖r‖ relative to the right side and the bound, and |f*(x) − f(x)| is at most
// √k(x, x) times that.
//
// # Small models
//
// Unless it sits on fewer points, the model keeps all rows that it was learned from. Model.Compress projects it onto few of them, and
// says how far it has moved.
//
// Sources: Saunders, Gammerman and Vovk, "Ridge regression learning algorithm in dual
// variables", ICML 1998; Radhakrishnan, Beaglehole, Pandit and Belkin, "Mechanism for
// feature learning in neural networks and backpropagation-free machine learning models",
// Science 2024, for the metric; Díaz, Epperly, Frangella, Tropp and Webber, "Robust,
// randomized preconditioning for kernel ridge regression", 2023; Zhao, Xu, Huang, Chow and
// Xi, "An adaptive factorized Nyström preconditioner for regularized kernel matrices", 2024;
// Rudi, Carratino and Rosasco, "FALKON: an optimal large scale kernel method", NIPS 2017.
package ridge
