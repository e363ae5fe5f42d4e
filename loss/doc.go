// Package loss provides convex losses of a score f and a target y for the stochastic learners
// (doublysgd, polk), with their derivatives in f and bounds of their curvature.
//
// A [Scalar] loss compares two numbers; learners sum it over several outputs. It is a loss for
// regression, or, if [Margin] reports true, for two classes with y = ±1. A [Multiclass] loss compares
// the scores of all classes with the index of the true class.
//
// Choose a loss by its purpose:
//
//   - [Squared] estimates the mean. Only with it is f a posterior mean or a density ratio. [Huber] is
//     robust to outliers. [Absolute] estimates the median and [Pinball] a quantile.
//     [EpsilonInsensitive] ignores small errors, so that a sparse learner keeps fewer points.
//   - [Logistic] and [Softmax] give probabilities. [Hinge], [SquaredHinge] and [MulticlassHinge] have zero
//     derivative on points with a sufficient margin, so that models have fewer terms.
//
// Losses are small values, safe for concurrent use, that print as the Go expression that creates
// them. Learners query a loss only through the functions of this package, such as [Kinked], [Quadratic],
// Margin, [Rate] and [Constant]. Each function looks for a method of its name, so user-defined losses
// work in every learner, and a type that embeds a loss behaves like it. [Register] a loss to save it.
package loss
