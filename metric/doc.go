// Package metric learns a linear map L of the rows such that the kernel k(L·x, L·z), a
// [kernel.Projected] or [kernel.ARD], predicts best. Every learner accepts this kernel. Without a given
// kernel, a fit of most learners learns a metric in the same way (see [kernel.Metric]), except package
// alignment and streams. This package returns the metric itself.
//
// # When
//
// A single bandwidth for all columns limits kernel machines on tables, because targets change at
// different rates along columns or combinations of columns. [Learn] finds a metric from a few thousand
// rows in seconds, for any number of rows. It does not help with a few hundred rows or a single
// column, and rarely with pixels or words, where all columns are alike.
//
// # How
//
// Learn first finds the best kernel without a metric over column scales, families, bandwidths and
// ridges, by the exact leave-one-out error of kernel ridge regression with an unpenalized constant.
// Unlike the search of a learner, it does not try kernel.OneHot and kernel.Warped. It then fits three
// kinds of metrics.
//
// Weights of the columns follow the gradient of the logarithm of the leave-one-out error. With the
// kernel φ(Σ_c w_c·(x_c − z_c)²), the inverse P of the Gram matrix plus noise, projected orthogonally
// to the constant, a = P·y and the errors e_i = a_i/P_ii,
//
//	d(Σe²) = 2·Σ_ij M_ij·dK_ij,   M = P·diag(e_i·a_i/P_ii²)·P − P·(e_i/P_ii)·aᵀ
//
// (leave-one-out errors: Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// eq. (5.12)).
//
// A full metric is the fixed point M = LᵀL = √G of the mean outer product of gradients
// G = (1/n)·Σ_i ∇f(x_i)∇f(x_i)ᵀ of its own fitted function f (Radhakrishnan, Beaglehole, Pandit and
// Belkin, "Mechanism for feature learning in neural networks and backpropagation-free machine
// learning models", Science, 2024). The iteration starts from the best kernel without a metric and
// from the best weights.
//
// Gradients refine the best full metric L₀ like weights: for L = E·L₀ and the rows u_i = L₀·x_i of U,
// the derivative of Σe² with respect to E is 8·E·Uᵀ·(diag(H·1) − H)·U with H_ij = φ'·(M_ij + M_ji)/2.
// Further outer products of gradients follow.
//
// With Options.Rank r, for tables of hundreds of columns with a few relevant directions, L has at most
// r rows: Λ^(1/4)·Vᵀ for the leading eigenvectors V of G. Subspace iteration finds V without G (Halko,
// Martinsson and Tropp, "Finding structure with randomness", SIAM Review, 2011), and refinements stay
// in its span. On digits of 256 and 784 pixels, rank 32 was worse than no metric.
//
// Learn compares all candidates on held-out rows. It keeps the kernel without a metric unless a
// candidate is better by more than one standard error; Result.Learned reports the outcome.
package metric
