// Package score predicts rows in a pipeline of Apache Beam by a model of any learner of this
// library, and writes the predictions.
//
//	batches, rejected, err := rows.Read(s, "new/*.csv", rows.Options{Table: true})
//	predictions, refused, err := score.File(s, batches, "price.rkhs", score.Options{})
//	err = score.Write(s, predictions, score.Output{Path: "predicted.csv", Shards: 8})
//
// The model is what rkhs.Save writes: of rows of numbers, or with the recipe of a table
// (package recipe), which then takes rows.Options.Table. A worker holds it once, for all its
// threads. Kernels of your own must be registered in the program of the workers.
package score
