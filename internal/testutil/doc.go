// Package testutil holds the contract tests of this module. CheckKernel, CheckLoss, CheckLearner
// and CheckStream run every check that a kernel, a loss, a learner or a stream learner must pass.
// A new implementation needs one call and a description of itself.
package testutil
