// Package descent learns functions of random features by steps on batches of rows, from a stream or
// from rows in memory.
//
// Risk is the loss of a batch. A Stepper performs steps of stochastic gradients or of Newton's
// method. Waiting holds rows until a step has enough of them. A Stream is the common part of all
// stream learners. Units are the units of targets during training.
//
// Space, Iterates and SpaceFunction serve the objectives of density ratios and novelty. They split the
// kernel into the span of landmarks and a residual with random features. They solve the problem
// exactly in the span, and by stochastic gradients in the residual.
package descent
