// Package selection compares candidates, learners with their options, by scores on rows that
// they have not seen, and fits the best of them.
//
//	candidates, err := selection.Grid("ridge", ridge.Fit, ridge.Options{},
//		selection.Values("Sigma", func(o *ridge.Options, v float64) { o.Kernel = kernel.Gaussian{Sigma: v} }, 0.5, 1, 2),
//		selection.Values("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-2, 1e-4, 1e-6))
//	result, err := selection.Search(ctx, x, y, candidates, nil)
//	fmt.Println(result)
//	model := result.Model.(*ridge.Model)
//
// # When to use it
//
// Not to find a kernel and a ridge: all learners do that by themselves where these are not
// given, by leave-one-out errors on a sample, which costs less than one fold, and tell in
// Report().Choice what they compared. Use it for what they do not choose: which learner, a loss,
// a number of points, features or passes, a kernel of your own with parameters, anything by a
// score of your own; for an honest score of what was chosen, with its standard error; and for
// rows that may not be parted at random, of groups or in order of time.
//
// # Candidates
//
// Grid makes a candidate for each combination of values, Random draws them from lists and
// intervals. Both take the Fit of any learner with its options, or a function of your own with a
// struct of options of your own, which may scale columns, derive one option from another or from
// the number of rows, and put the model together as it likes. Candidates of several learners
// stand in one list, and what is compared is their rkhs.Model: that is all that a search asks of
// what is fitted, and so a candidate is a function, and there is no interface to implement.
//
// # Scores
//
// The rows are divided once, into K folds or rows held out, some times over if need be, and
// all candidates are fitted to and scored by the same rows. Folds of labels are stratified.
// Weights, rkhs.Weighted, go with their rows into fits and scores, and sparse rows stay
// sparse. The chosen score is the best of many and so an optimistic one: what to expect of the
// model on new rows, only rows that took no part in the search can tell, by hand or by a candidate
// that searches (the nested example of Search).
//
// # Successive halving
//
// With Options.Eta = 3 all candidates are first fitted to few rows, those of the best third
// go on to three times as many, and so on up to all rows of the splits. The resource is the number
// of rows of each split that are learned from; they are drawn at random, of labels in
// proportion, those of a rung are among those of the next, and rows to score are
// always all of them. Scores of the last rung are those of the search without halving, to the
// bit (Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter
// optimization", AISTATS 2016).
//
// It loses what is good only of many rows. An option that suits few rows as it suits many is
// the better axis: not the ridge lam, of which the best falls with the rows, but the noise
// n·lam, which a fit of your own turns into lam = noise/n; see the example of Options.
//
// # Workers
//
// Workers fits run side by side, each with the Workers of its learner: for many small fits
// set those to 1, and for few large ones set Options.Workers to 1. Nothing but the time
// depends on either. A Recorder in the options of a learner is called by several fits at a
// time; that of the search tells how many are over.
package selection
