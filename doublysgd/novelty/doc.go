// Package novelty finds where rows lie, and which are unlike them: the support vector
// machine of one class. For rows x_1, …, x_n it learns a function f of the space of a
// kernel and an offset r with
//
//	min 1/n·Σ_i max(0, r − f(x_i)) + (nu/2)·‖f‖² − nu·r.
//
// Rows with f(x) < r are novel, no more than the fraction nu of those fitted to.
//
// Fit takes rows at hand. The kernel is cut into what centres span and a rest with random
// features. The hinge and the offset are split off by the alternating direction method of
// multipliers: each iteration is one of ridge regression, exact on the centres and a
// stochastic gradient in the features, and one in r, which is exact. A Learner takes
// doubly stochastic steps on a stream, and is less accurate.
//
// Sources: Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, "Estimating the support of
// a high-dimensional distribution", Neural Computation 13, 2001; Dai, Xie, He, Liang,
// Raj, Balcan and Song, "Scalable kernel methods via doubly stochastic gradients", NIPS
// 2014, section 4 and Algorithm 1.
package novelty
