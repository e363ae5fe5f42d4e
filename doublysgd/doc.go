// Package doublysgd learns functions of a kernel from rows at hand or from a
// stream, as sums over blocks of random features: regression with any convex loss,
// quantiles among them, classification, novelty detection, ratios of densities, and
// the posterior of a Gaussian process.
//
// # The problem
//
// For a kernel k with features, E[<phi_b(x), phi_b(z)>] = k(x, z) for blocks b of
// them, a model is
//
//	f(x) = Σ_b phi_b(x)·A_b,
//
// and the objective
//
//	E[l(f(x), y)] + (nu/2)·‖f‖²,
//
// without an intercept beyond an offset that is taken from the targets. Features
// are regenerated from a seed (Dai, Xie, He, Liang, Raj, Balcan and Song,
// "Scalable Kernel Methods via Doubly Stochastic Gradients", NIPS 2014), so that a
// model is a kernel, a seed and coefficients: its file does not grow with the
// number of columns of x, nor with that of the rows.
//
// # How it is solved
//
// Four modes share the features and differ in how they find the coefficients.
//
// Revisit, the default for data at hand, goes back to every block again and again
// and solves for it on the current residual,
//
//	A_b += (Z_bᵀZ_b + lam·I)⁻¹(Z_bᵀR − lam·A_b),
//
// which is block Gauss–Seidel on the ridge regression on all features: with a
// conjugate step after each sweep over the blocks it converges to the exact
// solution, in the memory of one block of features and of the normal equations of
// each. Other smooth losses take the same factors through the bound
// of their curvature, losses with kinks through the method of multipliers. What is
// not given (bandwidth, ridge, number of features and of sweeps) is chosen on rows
// held out, which are trained on in the end. Report says how far from optimal the
// result is.
//
// Newton, the default for streams, takes for each batch a block of its own and the
// step that serves the next batch best, out of those for several ridges and lengths.
// It needs no tuning, learns in one pass and bounds its memory: from a number of
// features on it goes back to the first blocks. It does not solve the problem above.
//
// Plain is the doubly stochastic gradient of the paper in blocks, with step sizes
// from the largest eigenvalue of the kernel matrix, and the average of its
// iterates. It does solve the problem above, at the rate 1/t; the other modes need
// far fewer features for the same error.
//
// Preconditioned solves the problem above too, over all functions of the kernel and
// not those of a number of features: what rows called centres span of the kernel is
// solved for exactly, and stochastic gradients in new random features at each step
// are left with the rest. It takes data at hand and losses without kinks, and suits
// ridges that are not small beside what the centres leave. FitNovelty and FitRatio
// solve their problems in the same space, NoveltyLearner and RatioLearner by plain
// steps on a stream. FitGP has the posterior of a Gaussian
// process, mean and variance, by conjugate gradients.
//
// # When to use it
//
// Use doublysgd for tens of thousands to millions of rows where accuracy asks for
// thousands of features, and for streams. When a model of a few hundred terms with
// a certified optimum is wanted, or one that forgets, another learner of this
// module serves better. Kernels without features need another learner too.
package doublysgd
