// Package metric learns what matters among the columns of a table: a linear map L of the
// rows such that the kernel k(L·x, L·z), an ordinary kernel.Projected or kernel.ARD,
// predicts best. Any learner of this module takes that kernel; where a fit is given none, it
// learns one in the same way (see kernel.Metric), but for package alignment and streams. Here
// the metric is the result.
//
// # When
//
// On tables one bandwidth for all columns, be they scaled or not, is what holds kernel
// machines back: columns differ in how fast the targets change along them, and it may be
// combinations of columns that count. A metric is learned from some thousand rows in
// seconds, whatever the number of rows. It does not help where there are a few hundred
// rows or a single column, and for pixels or words, whose columns are all alike, rarely.
//
// # How
//
// Learn first finds the best kernel without a metric, over scales of the columns, families,
// bandwidths and ridges, by the exact leave-one-out error of kernel ridge regression with
// an unpenalised constant. From there it goes three ways.
//
// Weights of the columns follow the gradient of the logarithm of the leave-one-out error:
// with the kernel φ(Σ_c w_c·(x_c − z_c)²), the inverse P of the Gram matrix plus noise,
// projected onto what is orthogonal to the constant, a = P·y and the errors e_i = a_i/P_ii,
//
//	d(Σe²) = 2·Σ_ij M_ij·dK_ij,   M = P·diag(e_i·a_i/P_ii²)·P − P·(e_i/P_ii)·aᵀ
//
// (for leave-one-out errors see Rasmussen and Williams, "Gaussian processes for machine
// learning", 2006, eq. (5.12)).
//
// A full metric is the fixed point M = LᵀL = √G of the mean outer product of gradients
// G = (1/n)·Σ_i ∇f(x_i)∇f(x_i)ᵀ of the function f that it gives (Radhakrishnan, Beaglehole,
// Pandit and Belkin, "Mechanism for feature learning in neural networks and
// backpropagation-free machine learning models", Science, 2024), begun from the best
// kernel without a metric and from the best weights.
//
// The best full metric L₀ is improved as weights are: for L = E·L₀ and the rows u_i = L₀·x_i
// of U the derivative of Σe² by E is 8·E·Uᵀ·(diag(H·1) − H)·U with H_ij = φ'·(M_ij + M_ji)/2.
// From there outer products of gradients follow once more.
//
// With Options.Rank r, as for a table of hundreds of columns that a few directions of matter in,
// L has r rows at most, Λ^(1/4)·Vᵀ for the leading eigenvectors V of G, which iteration of a
// subspace finds without G (Halko, Martinsson and Tropp, "Finding structure with randomness",
// SIAM Review, 2011); what follows stays in their span. On pictures of digits, by 256 and 784
// pixels, rank 32 lost to the kernel without a metric.
//
// All of these are compared on rows that none has learned from, and the kernel without a
// metric is kept unless one is better by more than a standard error: Result.Learned tells.
package metric
