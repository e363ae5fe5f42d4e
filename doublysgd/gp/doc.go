// Package gp finds the posterior of a Gaussian process: its mean, its variance and its
// covariance, at any point.
//
// For a function with the prior covariance k, and its values y (n×q) at rows X with
// independent noise of variance s²,
//
//	mean(x*) = k(x*, X)·(K + s²I)⁻¹·y,
//	covariance(x*, z*) = k(x*, z*) − k(x*, X)·(K + s²I)⁻¹·k(X, z*).
//
// Fit finds the mean; Model.Variance and Model.Covariance solve for what they are asked
// when they are asked. All systems are solved by conjugate gradients on kernel values that
// are computed at each iteration, with a preconditioner of centres, rows drawn by what
// their predecessors leave of k(x, x). They bound the error at no cost: that of the mean
// by the residual, that of a variance by the residual in the norm of the preconditioner.
// The number of iterations goes by the root of what the centres leave of K over s².
//
// What is not given is found by the likelihood of the targets of up to 512 rows:
// bandwidth, amplitude and noise. With Options.Literal the prior is taken as it is: the
// mean is then kernel ridge regression, the minimiser of
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
