// Package doublysgd learns functions of a kernel from many rows, at hand or from a
// stream, as sums over blocks of random features: regression with any convex loss,
// quantiles among them, classification, Gaussian processes, novelties and ratios of
// densities.
//
// # The problem
//
// For a kernel k with features, E[<φ_b(x), φ_b(z)>] = k(x, z) for blocks b of them, a
// model is
//
//	f(x) = offset + unit·Σ_b φ_b(x)·A_b,
//
// and what is minimised, by the function before offset and unit,
//
//	E[l(f(x), y)] + (nu/2)·‖f‖².
//
// Offset and unit are the median and the spread of the targets; there is no other
// intercept. The features are those of package features: drawn from a seed, used,
// forgotten, and drawn again where they are needed (Dai, Xie, He, Liang, Raj, Balcan and
// Song, "Scalable Kernel Methods via Doubly Stochastic Gradients", NIPS 2014). What is
// kept of each is its coefficients.
//
// # Tasks
//
//	Fit, Learner                     numbers; the loss says what of them: the mean
//	                                 (loss.Squared, Huber), the median (Absolute), a
//	                                 quantile (Pinball)
//	FitClassifier, ClassLearner      labels, any whole numbers; with probabilities if
//	                                 the loss is Logistic or Softmax
//	FitGP                            the posterior of a Gaussian process: the mean at any
//	                                 point, the variance at points given with the data
//	FitVarianceOperator              the variance at any point, as an estimate that needs
//	                                 high noise (experimental)
//	FitNovelty, NoveltyLearner       where rows lie, and which are unlike them
//	FitRatio, RatioLearner           the ratio of two densities, from rows of each
//
// What begins with Fit takes rows at hand, learners take batches of a stream. FitGP
// solves by conjugate gradients on the kernel itself, and no learner does its task.
//
// # Modes
//
// Fit, FitClassifier and their learners find the coefficients in one of four ways. For n
// rows of d columns, q outputs, D features in blocks of m, and c centres:
//
//	mode            minimum over               data      time
//	Revisit         these features             at hand   n·D·(d + m + q), later sweeps n·D·(d + q)
//	Preconditioned  all functions of the       at hand   n·c·(c + d), and for each step
//	                kernel                               n·m·(d + q) + n·c·q
//	Newton          none: aims at the loss     any       a pass: n·D·(d + q) + n·m²
//	                on rows to come
//	Plain           all functions of the       any       a pass: n·D·(d + q)
//	                kernel
//
// Revisit holds n·(d + q) + D·(m + q) numbers at a time, Preconditioned n·(d + c + q) +
// D·q, Newton and Plain D·q and the rows: on a stream those of one step or two, whatever
// n is.
//
// Revisit, the default for data at hand, goes back to every block again and again and
// solves for it on the current residual R. For the squared loss and B blocks,
//
//	A_b += (Z_bᵀZ_b + lam·I)⁻¹(Z_bᵀR − lam·A_b),   lam = nu·n·B,
//
// which is block Gauss–Seidel on the ridge regression on all features. With a step to
// the minimum over the last moves after each sweep it converges to the exact solution
// and never holds the normal equations of all D features. Other smooth losses take the
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
// Preconditioned has the minimum over the whole space of the kernel, with a bound of the
// error. What centres, rows drawn from the data, span of the kernel is solved for
// exactly; stochastic gradients in new random features at each step are left with the
// rest. It takes losses without kinks, and suits ridges that are not small beside what
// the centres leave of the kernel. FitNovelty and FitRatio work in the same space.
//
// # What is chosen from the data
//
// What Options leave open. Revisit mode chooses bandwidth and ridge on a sample of the
// rows, by the criterion on others. Then it holds a tenth of all rows out, of few up to a
// third, and on the rest doubles the features and adds sweeps as long as the criterion
// on these falls; the ridge, which was found for fewer rows and features, is lowered as
// long as that helps. For labels, unless another loss is given, all this takes the
// squared loss, and then a few sweeps of the squared hinge, over the same normal
// equations, if these lower the number of errors. In the end the fit goes on with the
// rows held out among the others. Where nothing but the loss is left open no row is held
// out, and labels have the squared loss.
//
// Other modes take the median distance as bandwidth. On a stream where that does not
// suit, give the kernel that a Fit to the first rows chose, Model.Kernel.
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
// coefficients: the size depends neither on n nor on d. Models of Preconditioned mode,
// of FitNovelty and of FitRatio add their centres, those of FitGP the rows. A learner is
// written with all its state, the rows that wait included, and goes on from its file bit
// for bit.
//
// # How good a model is known to be
//
// Report.HeldOut is the criterion by which choices were made, on rows that were not
// trained on then; having been chosen by, it flatters a little. Report.Gradient is the
// norm of the gradient of the objective relative to that at f = 0, in Preconditioned
// mode a bound of the relative error of f, and Report.Gap bounds by how much the
// objective exceeds its minimum. A fit ends, by default, when more sweeps gain little on
// rows held out, short of that minimum; Options.Tolerance asks for it, and
// rkhs.ErrNotConverged says that it was not reached. Newton mode minimises nothing that
// could be certified. The PreconditionReport of the other tasks bounds their error.
//
// # Determinism
//
// Rows, options and seed determine every bit of a model, for any number of workers.
// Features are the same bits on every processor, so that a file means the same
// everywhere; fits on different kinds of processors may differ in their rounding.
//
// # When not to use it
//
// Up to some thousand rows the kernel itself serves: FitGP with Literal is exact kernel
// ridge regression. Where a model of a few hundred terms or a certified optimum is
// wanted, package slkl serves better; where the function drifts, package polk, as
// nothing here weighs recent rows more. Kernels without features need one of these too;
// package features says which have them, and how a kernel of your own gets them.
package doublysgd
