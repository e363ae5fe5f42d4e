// Package learn learns on Apache Beam what the learners of this module learn on one machine,
// from the rows.Batch elements of package rows.
//
//	statistics, err := learn.Describe(s, batches, learn.StatisticsOptions{})
//	method, err := learn.SLKL(&slkl.Options{})
//	model := method.Fit(s, batches, statistics)
//
// A first pass, Describe, sees how columns are scaled, which labels there are, and keeps a
// sample; a second one adds up what the learner needs to know of the rows (SLKL, Ridge), or deals
// them out to shards whose models are merged (Polk, DoublySGD). The two may be of one pipeline or of
// two (Method). What is learned is a collection of one element, the file of a model: package score
// predicts by it, and rkhs.Load opens it.
//
// # What does not matter
//
// Rows count by file and line (rows.Batch), so that sample, landmarks, folds and calibration
// depend on the seed and on which rows there are, and not on how they are cut into batches,
// bundles and shards, nor on their order. A bundle that fails hands on nothing, and begins
// anew when it is tried again. Shards may be empty. Rows that are in two files, or twice in
// one, are two rows, as they are to a learner on one machine; landmarks that repeat others are
// left out.
package learn
