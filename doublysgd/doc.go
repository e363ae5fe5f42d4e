// Package doublysgd learns kernel regressors and classifiers from many rows, in memory or from a
// stream, as sums over blocks of random features.
//
// # The problem
//
// For a kernel k with random features, E[<φ_b(x), φ_b(z)>] = k(x, z), a model is
//
//	f(x) = offset + unit·(c + Σ_b φ_b(x)·A_b)
//
// where offset and unit are a location and a scale of the targets. A fit minimises, for targets y in
// these units,
//
//	E[l(c + Σ_b φ_b(x)·A_b, y)] + (nu/2)·‖Σ_b φ_b·A_b‖².
//
// The constant c has no penalty, so predictions are unbiased. On the training rows, the mean under
// the squared loss, the coverage of a quantile, and the frequency of a label are exact. Newton and
// Plain mode fit c on the last 8192 rows of a fit or 4096 of a stream. [Model.Intercept] is offset
// + unit·c. A seed determines the features, which are drawn again when needed. A model stores only
// the coefficients (Dai, Xie, He, Liang, Raj, Balcan and Song, "Scalable Kernel Methods via Doubly
// Stochastic Gradients", NIPS 2014).
//
// [Fit] and [Learner] accept numeric targets. The loss selects the mean ([loss.Squared], Huber), the
// median (Absolute) or a quantile (Pinball); Options.Quantiles fits several quantiles that do not
// cross. [FitClassifier] and [ClassLearner] accept integer labels. Rows may have weights
// ([rkhs.Weighted]), which multiply the losses. Packages gp, novelty and ratio cover the other tasks
// of the paper.
//
// # Modes
//
// For n rows of d columns, q outputs, and D features in blocks of m:
//
//	mode      minimises                  data       time
//	Revisit   F over these features      in memory  n·D·(d + m + q), later passes n·D·(d + q)
//	Newton    the loss on future rows    any        n·D·(d + q) + n·m² a pass
//	Plain     F over all functions of k  any        n·D·(d + q) a pass
//
// Revisit needs memory for n·(d + q) + D·(m + q) numbers. Newton and Plain need D·q and the rows;
// on a stream, the rows of two steps and the last 4096.
//
// Revisit is the default in memory. It solves for one block at a time on the residual R. For the
// squared loss and B blocks,
//
//	A_b += (Z_bᵀZ_b + lam·I)⁻¹(Z_bᵀR − lam·A_b),   lam = nu·n·B,
//
// with centred columns. This is block Gauss–Seidel on ridge regression. A subspace minimisation
// over recent updates accelerates it. For few rows a pass is one exact step with the n×n matrix
// Σ_b Z_bZ_bᵀ. Other smooth losses use a bound of their curvature; losses with kinks use the
// alternating direction method of multipliers.
//
// Newton is the default for streams and for [loss.MulticlassHinge]. Each batch gets its own block,
// and the next batch selects the ridge and the length of the step. After Options.Features features
// it returns to the first blocks.
//
// Plain is Algorithms 1 and 2 of the paper in blocks, with averaged iterates. The largest
// eigenvalue of the kernel matrix sets the step size. It converges at the rate 1/t.
//
// # Defaults
//
// A leave-one-out search on a sample of the rows selects the kernel, the scaling of the columns and
// the ridge. It scores kernels with the features of the fit. Report.Search reports the search. The
// noise determines the ridge of other losses. The factor of nu is V/(H·s²), where noise of standard
// deviation s gives derivatives of variance V and mean curvature H.
//
// Revisit mode then holds out a tenth of the rows (up to a third of few rows, at most 5000). It
// doubles the number of features and adds passes while the held-out criterion falls and
// Options.Work allows. For more than 100000 rows it first uses a sample of 100000. Classification
// starts with the squared loss and continues with the squared hinge if that lowers the number of
// errors. Finally the fit includes the held-out rows. A one-step regression holds out no rows; it
// uses leave-one-out errors instead.
//
// A stream uses the median distance as its bandwidth. If that is unsuitable, pass the kernel that
// Fit selects on the first rows (Model.Kernel).
//
// # Streams
//
// Update accepts batches of any size. Rows wait until there are enough for a step, so the result
// does not depend on the batches. Model includes the waiting rows and leaves the learner
// unchanged. In Newton mode, cross-validation selects the step on these rows if they are few. A
// failed Update leaves the learner unchanged.
//
// # Files
//
// The file of a model holds its kernel, the seed and D·q coefficients; its size does not depend on n
// or d. The file of a learner holds its whole state, and the learner resumes from it bit for bit.
//
// # Accuracy
//
// Report.HeldOutLoss is the criterion on held-out rows. It is slightly optimistic because it
// selected the options. Report.Gradient is the gradient norm relative to f = 0, and Report.Gap
// bounds the excess of the objective over its minimum. By default a fit stops early, when more
// passes gain little on held-out rows. Set Options.Tolerance to reach the minimum; a fit that fails
// to reach it returns [rkhs.ErrNotConverged]. Newton mode has no certificate.
//
// # Determinism
//
// Rows, options and seed determine every bit of a model, for any number of workers. Features have
// the same bits on every processor. Fits on different architectures may round differently.
//
// # Alternatives
//
// For a few thousand rows use the exact package gp. Package slkl gives sparse models with a
// certificate, and package polk tracks functions that drift. Both also accept kernels without
// random features.
package doublysgd
