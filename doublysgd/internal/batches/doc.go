// Package batches learns functions of random features by steps on batches of rows, from
// a stream or from rows at hand: Risk is the loss of a batch, a Stepper takes the steps of
// stochastic gradients or of Newton's method, Waiting holds rows until there are enough
// for a step, and a Stream is what learners have in common.
package batches
