// Package ratio estimates the ratio w = p/q of two densities from rows of each. The ratio
// gives importance weights and the Kullback–Leibler divergence E_p[log w].
//
// It fits log w or w (see Form) as a function f in the space of a kernel, by minimising
//
//	E_q[exp f] − E_p[f] + (nu/2)·‖f‖²   or   E_q[w] − E_p[log w] + (nu/2)·‖w‖².
//
// [Fit] needs all rows in memory. It splits the kernel into a Nyström approximation on
// landmarks and a residual with random features. It alternates Newton's method on the
// landmarks with stochastic gradient steps on the features. A [Learner] performs doubly
// stochastic gradient steps on streams of rows, and is less accurate.
//
// Sources: Nguyen, Wainwright and Jordan, "Estimating divergence functionals and the
// likelihood ratio by convex risk minimization", IEEE Transactions on Information Theory
// 56, 2010; Dai, Xie, He, Liang, Raj, Balcan and Song, "Scalable kernel methods via
// doubly stochastic gradients", NIPS 2014, section 4 and Algorithm 1.
package ratio
