// Command rkhs-beam learns and predicts on Apache Beam: in this process, or on the workers of
// Flink, Spark or Dataflow.
//
//	rkhs-beam train -model price.rkhs 'data/*.csv'
//	rkhs-beam predict -model price.rkhs -out predicted.csv 'new/*.csv'
//
// Files are CSV, svmlight and Parquet, on the local file system, gs:// and s3://; a pattern
// in quotes names many. Flags of Beam, such as -runner, -endpoint and those of Dataflow, stand
// among the others; docs/distributed.md has the lines for each runner. Rows that are malformed
// do not stop a job: they are counted and written with file, line and reason (-rejected). What
// was done is told on the standard error. The exit code is 0, 1 where something failed, and 2 where
// the command was called wrongly.
//
// Runners start this program again as their worker, with flags alone.
package main
