// Package loss holds the convex losses by which the stochastic learners of this
// module (doublysgd, polk) measure a score f against a target y, each with its
// derivative in f and a bound of its curvature.
//
// A Scalar loss compares one number with one number; over several outputs it is
// summed. It serves regression, where y is the target, or, where Margin says so,
// two classes, where y is +1 or −1. A Multiclass loss compares the vector of the
// scores of all classes with the index of the right one.
//
// Which to take:
//
//   - Squared estimates the mean, and is the only one for which f is a posterior
//     mean or a density ratio; Huber the same when some targets are far off;
//     Absolute the median; Pinball a quantile; EpsilonInsensitive ignores errors
//     below a given size, so that a sparse learner keeps fewer points.
//   - Logistic and Softmax give probabilities; Hinge, SquaredHinge and
//     MulticlassHinge have zero derivative on points that are right by a margin,
//     which keeps the number of terms of a model small.
//
// Losses are small values, safe for concurrent use, that print as the expression
// that makes them. A loss of another package works in every learner: what a learner
// wants to know of a loss it asks by method, through Kinked, Quadratic, Margin, Rate,
// Constant, Probable and the like, so that a type that embeds a loss of this package
// is treated as that loss. To be saved in a file, it is registered by Register.
package loss
