// Command rkhs-beam trains models and predicts on Apache Beam: in this process, or on the workers
// of Flink, Spark or Dataflow.
//
//	rkhs-beam train -model price.rkhs 'data/*.csv'
//	rkhs-beam predict -model price.rkhs -o predicted.csv 'new/*.csv'
//
// It reads CSV, svmlight and Parquet files from the local file system, gs:// and s3://. Quote a
// pattern of several files. The command also accepts the flags of Beam, such as -runner, -endpoint
// and the flags of Dataflow; docs/distributed.md has an example for each runner. Malformed rows do
// not stop a job. It counts them and writes them with file, line and reason (-rejected). The
// command prints a summary on the standard error. The exit code is 0, or 1 after a failure, or 2
// for wrong arguments.
//
// Runners start this program again as a worker, with flags and no verb.
package main
