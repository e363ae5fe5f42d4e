// Package testutil holds the batteries that the parts of this module must pass:
// CheckKernel for every kernel, CheckLoss for every loss, CheckLearner for every
// learner, CheckStream for every learner that takes in batches. A new one is tested by
// one call and a description of itself; what is special to it, it tests by itself.
package testutil
