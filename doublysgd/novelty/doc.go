// Package novelty implements the one-class support vector machine, which detects rows that
// are unlike the training rows. For rows x_1, …, x_n it fits a function f in the space of a
// kernel and an offset r:
//
//	min 1/n·Σ_i max(0, r − f(x_i)) + (nu/2)·‖f‖² − nu·r.
//
// A row with f(x) < r is novel. At most the fraction nu of the training rows is novel.
//
// [Fit] needs all rows in memory. It splits the kernel into a Nyström approximation on
// landmarks and a residual with random features. It uses the alternating direction method
// of multipliers. Each iteration is a ridge regression, exact on the landmarks with a
// stochastic gradient step in the features, followed by an exact step in r. A [Learner] performs
// doubly stochastic gradient steps on a stream, and is less accurate.
//
// Sources: Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, "Estimating the support of
// a high-dimensional distribution", Neural Computation 13, 2001; Dai, Xie, He, Liang,
// Raj, Balcan and Song, "Scalable kernel methods via doubly stochastic gradients", NIPS
// 2014, section 4 and Algorithm 1.
package novelty
