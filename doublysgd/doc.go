// Package doublysgd learns functions of a kernel from many rows, at hand or from a
// stream, as sums over blocks of random features: regression with any convex loss,
// quantiles among them, and classification.
//
// # The problem
//
// For a kernel k with features, E[<φ_b(x), φ_b(z)>] = k(x, z) for blocks b of them, a
// model is
//
//	f(x) = offset + unit·(b + Σ_b φ_b(x)·A_b),
//
// and what is minimised, by the function before offset and unit,
//
//	E[l(f(x), y)] + (nu/2)·‖f − b‖².
//
// Offset and unit are units of the targets. The constant b is part of the problem, and no
// ridge weighs on it: whatever the ridge, the mean of the predictions at the training rows
// is that of the targets under the squared loss, a quantile lies above as many of them as
// it says, and the mean probability of a label is its frequency. (In Newton and Plain mode
// that holds on the last 8192 rows of a fit and the last 4096 of a stream, on which the
// constant is fitted, and loss.MulticlassHinge has the constant of its steps.)
// Model.Intercept is offset + unit·b. The features are those of package features: drawn from a seed, used,
// forgotten, and drawn again where they are needed (Dai, Xie, He, Liang, Raj, Balcan and
// Song, "Scalable Kernel Methods via Doubly Stochastic Gradients", NIPS 2014). What is
// kept of each is its coefficients.
//
// Rows may have weights, rkhs.Weighted: the loss of each is multiplied by its own.
//
// Fit and Learner take numbers; the loss says what of them is learned: the mean
// (loss.Squared, Huber), the median (Absolute), a quantile (Pinball). Options.Quantiles
// are several of them in one fit, which do not cross. FitClassifier and
// ClassLearner take labels, any whole numbers, and give probabilities if the loss is
// Logistic or Softmax. The other tasks of the paper have packages of their own: gp, the
// posterior of a Gaussian process; novelty, where rows lie and which are unlike them; and
// ratio, the ratio of two densities.
//
// # Modes
//
// The coefficients are found in one of three ways. For n rows of d columns, q outputs, and
// D features in blocks of m:
//
//	mode       minimum over            data      time
//	Revisit    these features          at hand   n·D·(d + m + q), later passes n·D·(d + q)
//	Newton     none: aims at the loss  any       a pass: n·D·(d + q) + n·m²
//	           on rows to come
//	Plain      all functions of the    any       a pass: n·D·(d + q)
//	           kernel
//
// Revisit holds n·(d + q) + D·(m + q) numbers at a time, Newton and Plain D·q and the rows:
// on a stream those of one step or two and the last 4096, whatever n is.
//
// Revisit, the default for data at hand, goes back to every block again and again and
// solves for it on the current residual R. For the squared loss and B blocks,
//
//	A_b += (Z_bᵀZ_b + lam·I)⁻¹(Z_bᵀR − lam·A_b),   lam = nu·n·B,
//
// with the means taken out of the columns of Z_b and R, which b takes up. That is
// block Gauss–Seidel on the ridge regression on all features. With a step to the minimum
// over the last moves after each pass it converges to the exact solution and never holds
// the normal equations of all D features. Up to 2048 rows, and for the squared loss up to some
// 5000, unless Passes is given, a pass is one step for all blocks, by the n×n matrix Σ_b Z_bZ_bᵀ. Other smooth losses take the
// same factors through the bound of their curvature, losses with kinks through the
// method of multipliers. Take this mode unless there is a reason not to.
//
// Newton, the default for streams and for loss.MulticlassHinge, takes for each batch a
// block of its own and the step that serves the next batch best, out of those for
// several ridges and lengths. It has nothing to tune, learns in one pass and bounds its
// memory: from Options.Features on it goes back to the first blocks.
//
// Plain is Algorithms 1 and 2 of the paper in blocks, with step sizes from the largest
// eigenvalue of the kernel matrix, and the average of the iterates. It converges at the
// rate 1/t: take it to follow the paper, or where the minimum of the problem above is
// wanted from a stream. The noise of a step falls as Batch and Columns grow; where both
// are small it takes many steps to average out.
//
// # What is chosen from the data
//
// What Options leave open. The kernel, one of several families on columns as they are
// given or divided by their spread, and the ridge are those of the least leave-one-out
// error of kernel ridge regression with a constant, on a sample of the rows; a family is
// judged by what the features that the fit would take make of it. Report.Choice tells what
// was tried, and how far these features stay behind the kernel itself. As the best ridge
// is in proportion to the noise, nu is the noise found, divided by the number of rows, in
// units of the loss: times V/(H·s²), where normal errors of the deviation s that was left
// give derivatives of the loss the variance V and its mean the curvature H.
//
// Revisit mode then holds a tenth of all rows out, of few up to a third and some thousand
// at most, and on the rest doubles the features of more than 2048 rows and adds passes as
// long as the criterion on these falls and Options.Work allows it: beyond 100000 rows on so
// many of them, and then on more, all if what is left of Work suffices. For labels, unless
// another loss is given, all this takes the squared loss, and then a few passes of the
// squared hinge, over the same normal equations, if these lower the number of errors. In
// the end the fit goes on with the rows held out among the others. A regression whose Features and Passes are given, and
// a classification of which nothing but the loss is left open, hold no row out; the latter
// has the squared loss. Nor does a regression by the squared loss whose rows are few enough for one
// step: it takes all features that there may be at once, and its factor tells what each row is predicted
// as from all others.
//
// Newton and Plain mode have the kernel chosen too, Plain mode at its ridge. A stream takes
// the median distance as bandwidth. Where that does not suit, give it the kernel that a
// Fit to the first rows chose, Model.Kernel.
//
// # Streams
//
// Update takes batches of any size. Rows wait until there are enough for a step, so that
// how a stream is cut into batches does not change a bit. Model is what is known so far,
// from the rows that wait too; the learner goes on as if it had not been asked. An
// Update that fails leaves the learner as it was.
//
// # Files
//
// A Model or Classifier is written as its kernel, the seed of its features and D·q
// coefficients: the size depends neither on n nor on d. A learner is written with all
// its state, the rows that wait included, and goes on from its file bit for bit.
//
// # How good a model is known to be
//
// Report.HeldOutLoss is the criterion by which choices were made, on rows that were not
// trained on then, or left out one by one; having been chosen by, it flatters a little. Report.Gradient is the
// norm of the gradient of the objective relative to that at f = 0, and Report.Gap bounds
// by how much the objective exceeds its minimum. A fit ends, by default, when more
// passes gain little on rows held out, short of that minimum; Options.Tolerance asks for
// it, and rkhs.ErrNotConverged says that it was not reached. Newton mode minimises
// nothing that could be certified.
//
// # Determinism
//
// Rows, options and seed determine every bit of a model, for any number of workers.
// Features are the same bits on every processor, so that a file means the same
// everywhere; fits on different kinds of processors may differ in their rounding.
//
// # When not to use it
//
// Up to some thousand rows the kernel itself serves: package gp with Literal is exact
// kernel ridge regression. Where a model of a few hundred terms or a certified optimum is
// wanted, package slkl serves better; where the function drifts, package polk, as
// nothing here weighs recent rows more. Kernels without features need one of these too;
// package features says which have them, and how a kernel of your own gets them.
package doublysgd
