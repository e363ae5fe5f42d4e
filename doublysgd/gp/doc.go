// Package gp implements Gaussian process regression: the posterior mean, variance and
// covariance at any point.
//
// The model is y = b + f(x) + noise. The constant b has infinite prior variance, f has the
// prior covariance k, and the noise is independent with variance s². For targets y (n×q) at
// rows X, with A = K + s²I and u = A⁻¹1, the posterior is
//
//	b = uᵀy/(1ᵀu),   mean(x*) = b + k(x*, X)·A⁻¹·(y − b),
//	covariance(x*, z*) = k(x*, z*) − k(x*, X)·A⁻¹·k(X, z*) + (1 − k(x*, X)·u)·(1 − k(z*, X)·u)/(1ᵀu).
//
// The constant b is the generalised least squares estimate (Rasmussen and Williams,
// "Gaussian processes for machine learning", 2006, section 2.7). The predictions at the
// training rows therefore have the same average as the targets.
//
// [Fit] computes the mean. [Model.Variance] and [Model.Covariance] solve further systems on
// demand. All systems are solved by conjugate gradients with a Nyström preconditioner. Its
// landmarks are training rows, drawn with probability proportional to their residual
// variance given the landmarks before them. Each iteration computes the kernel values
// again unless the Gram matrix is cached. The residual bounds the error of the mean; its
// norm under the preconditioner bounds the error of a variance. The number of iterations
// grows with the square root of the residual of K over s².
//
// Fit selects the kernel, its bandwidth and the ratio of noise to amplitude if they are
// not given. It scores candidates by leave-one-out error on up to 2000 rows. Among the
// candidates within one standard error of the best, it selects the one with the highest
// likelihood, because leave-one-out error does not measure the uncertainty in gaps between
// rows. The amplitude maximises the likelihood of all targets:
// (y − b)ᵀA⁻¹(y − b)/(n − 1), for the A of amplitude 1.
//
// Options.NoConstant fixes the prior: mean zero and covariance k. The posterior mean is then
// kernel ridge regression, the minimiser of
//
//	1/(2n)·Σ_i (f(x_i) − y_i)² + (nu/2)·‖f‖²,   nu = s²/n.
//
// # Cost
//
// For q landmarks, the preconditioner costs O(n·q·(q + d)). An iteration for k right sides
// costs O(n²·(d + k)). Memory is O(n·(d + q + k)), plus n² numbers if CacheSize admits the
// Gram matrix. A model keeps its training rows, the preconditioner and the cached Gram
// matrix. Its file contains only the rows; the first variance after loading rebuilds the
// preconditioner.
//
// Sources: Dai, Xie, He, Liang, Raj, Balcan and Song, "Scalable kernel methods via doubly
// stochastic gradients", NIPS 2014, section 4, for mean and variance as regressions; Wang,
// Pleiss, Gardner, Tyree, Weinberger and Wilson, "Exact Gaussian processes on a million
// data points", NeurIPS 2019, for the solver.
package gp
