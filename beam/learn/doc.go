// Package learn fits the learners of this module on Apache Beam, to the rows.Batch elements
// of package rows.
//
//	statistics, err := learn.Describe(s, batches, learn.StatisticsOptions{})
//	method, err := learn.SLKL(&slkl.Options{})
//	model := method.Fit(s, batches, statistics)
//
// The first pass, Describe, computes column statistics and labels and keeps a sample. The
// second pass adds up sufficient statistics (SLKL, Ridge), or distributes rows to shards and
// merges the models of the shards (Polk, DoublySGD). Both passes can be in one pipeline or
// in two; see Method. The result is a collection of one element, the file of a model.
// Package score predicts with it and rkhs.Load opens it.
//
// # Reproducibility
//
// Rows are identified by file and line (rows.Batch). Sample, landmarks, folds and
// calibration depend only on the seed and the set of rows. They do not depend on batches,
// bundles, shards or order. A failed bundle emits no output and restarts from the
// beginning. Shards may be empty. A row that occurs twice counts as two rows, as on one
// machine; duplicate landmarks are dropped.
package learn
