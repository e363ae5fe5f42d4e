// Package selection compares candidates, which are learners with options, by scores on held-out
// rows, and fits the best one.
//
//	candidates, err := selection.Grid("ridge", ridge.Fit, ridge.Options{},
//		selection.Values("Sigma", func(o *ridge.Options, v float64) { o.Kernel = kernel.Gaussian{Sigma: v} }, 0.5, 1, 2),
//		selection.Values("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-2, 1e-4, 1e-6))
//	result, err := selection.Search(ctx, x, y, candidates, nil)
//	fmt.Println(result)
//	model := result.Model.(*ridge.Model)
//
// Every learner selects its own kernel and ridge by leave-one-out errors, which cost less than one
// fold. Use this package to select anything else: the learner, a loss, numbers of points, features
// or passes, parameters of a user-defined kernel, or by a user-defined score. Use it also for
// scores with standard errors, and for rows in groups or in order of time.
//
// # Candidates
//
// [Grid] returns a candidate for each combination of values. [Random] draws them from lists and
// intervals. Both accept the Fit of any learner with its options, or a user-defined function with
// user-defined options. A list may mix candidates of several learners.
//
// # Scores
//
// [Search] divides the rows once, into K folds or into training and held-out rows, with optional
// repeats. All candidates are fitted and scored on the same rows. Folds of labels are stratified.
// Weights ([rkhs.Weighted]) apply to fits and scores. The score of the best candidate is optimistic.
// For an unbiased score use rows outside the search, or a nested search (see the example of
// Search).
//
// # Successive halving
//
// With Options.Eta = 3, the first rung fits all candidates to few rows. The best third advances to
// a rung with three times as many rows, and so on up to all training rows. Rows of a rung are
// random, with labels in proportion, and contain the rows of the rungs before. All held-out rows
// are scored. Scores of the last rung equal the scores without halving bit for bit (Jamieson and
// Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS
// 2016).
//
// Halving discards candidates that are good only for many rows. Prefer axes with the same optimum
// for few and many rows: the noise n·lam rather than the ridge lam; see the example of Options.
//
// # Workers
//
// Options.Workers fits run concurrently, each with the Workers of its learner. Set the latter to 1
// for many small fits, and Options.Workers to 1 for few large fits. The results do not depend on
// either. A Recorder in the options of a learner is called concurrently.
package selection
