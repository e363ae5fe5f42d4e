// Package gp finds the posterior of a Gaussian process: its mean, its variance and its
// covariance, at any point.
//
// For a function b + f, of a constant b of infinite prior variance and of f with the prior
// covariance k, and its values y (n×q) at rows X with independent noise of variance s², with
// A = K + s²I and u = A⁻¹1,
//
//	b = uᵀy/(1ᵀu),   mean(x*) = b + k(x*, X)·A⁻¹·(y − b),
//	covariance(x*, z*) = k(x*, z*) − k(x*, X)·A⁻¹·k(X, z*) + (1 − k(x*, X)·u)·(1 − k(z*, X)·u)/(1ᵀu).
//
// So the predictions at the rows have the mean of the targets: b is that of generalised
// least squares (Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// section 2.7).
//
// Fit finds the mean; Model.Variance and Model.Covariance solve for what they are asked
// when they are asked. All systems are solved by conjugate gradients on kernel values that
// are computed at each iteration, with a preconditioner of centres, rows drawn by what
// their predecessors leave of k(x, x). They bound the error at no cost: that of the mean
// by the residual, that of a variance by the residual in the norm of the preconditioner.
// The number of iterations goes by the root of what the centres leave of K over s².
//
// Kernel, bandwidth and the ratio of noise to amplitude, where they are not given, are
// among those that predict rows left out best, on up to 2000 rows, to within a standard
// error, and of these the ones under which the targets are most likely: predictions
// between the rows do not tell how uncertain those in a gap are. The amplitude is the one at
// which all targets are most likely, (y − b)ᵀA⁻¹(y − b)/(n − 1) for the A of amplitude 1.
// With Options.Literal the prior is taken as it is, without a constant: the mean is then
// kernel ridge regression, the minimiser of
//
//	1/(2n)·Σ_i (f(x_i) − y_i)² + (nu/2)·‖f‖²,   nu = s²/n.
//
// # Cost
//
// O(n²·(d + k)) an iteration for k right sides, and O(n·q·(q + d)) before for q centres.
// Memory O(n·(d + q + k)), and n² numbers where CacheSize lets the kernel matrix be kept.
// A model keeps its rows, the centres' functions at them and that matrix; its file
// the rows, from which the first variance after loading makes the rest anew.
//
// Sources: Dai, Xie, He, Liang, Raj, Balcan and Song, "Scalable kernel methods via doubly
// stochastic gradients", NIPS 2014, section 4, for the regressions that mean and
// variance are; Wang, Pleiss, Gardner, Tyree, Weinberger and Wilson, "Exact Gaussian
// processes on a million data points", NeurIPS 2019, for their solution.
package gp
