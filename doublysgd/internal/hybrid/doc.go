// Package hybrid is the space in which tasks with a known objective are solved on
// rows at hand: the kernel is cut into what centres span, solved for exactly, and a rest
// with random features, left to stochastic gradients. A Space holds the rows, Iterates the
// part in the features and the average of its iterates, a Ridge solves ridge regressions,
// and a Function is what comes of it.
package hybrid
