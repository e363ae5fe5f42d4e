// Package ratio estimates the ratio w = p/q of two densities from rows of each: what
// importance weighting needs, and E_p[log w] the divergence of p from q.
//
// It learns a function of the space of a kernel, log w or w itself (Form), by
//
//	E_q[exp f] − E_p[f] + (nu/2)·‖f‖²   or   E_q[w] − E_p[log w] + (nu/2)·‖w‖².
//
// Fit takes rows at hand. The kernel is cut into what centres span and a rest with random
// features; between two stochastic gradients in the features the part on the centres is
// solved for by Newton's method. A Learner takes doubly stochastic steps on streams of
// both kinds of rows, and is less accurate.
//
// Sources: Nguyen, Wainwright and Jordan, "Estimating divergence functionals and the
// likelihood ratio by convex risk minimization", IEEE Transactions on Information Theory
// 56, 2010; Dai, Xie, He, Liang, Raj, Balcan and Song, "Scalable kernel methods via
// doubly stochastic gradients", NIPS 2014, section 4 and Algorithm 1.
package ratio
