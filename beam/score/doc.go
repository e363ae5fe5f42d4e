// Package score predicts rows in a pipeline of Apache Beam with a model of any learner of this
// library, and writes the predictions.
//
//	batches, rejected, err := rows.Read(s, "new/*.csv", rows.Options{Table: true})
//	predictions, failed, err := score.File(s, batches, "price.rkhs", score.Options{})
//	err = score.Write(s, predictions, score.Output{Path: "predicted.csv", Shards: 8})
//
// The model is a file of rkhs.Save. It predicts rows of numbers or, with the recipe of a table
// (package recipe), rows read with rows.Options.Table. All threads of a worker share one copy.
// The program of the workers must register user-defined kernels.
package score
