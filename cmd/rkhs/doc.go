// Command rkhs trains kernel models on files, evaluates them and predicts with them:
//
//	rkhs describe houses.csv
//	rkhs train houses.csv -target price -model price.rkhs
//	rkhs predict -model price.rkhs new.csv > predicted.csv
//	rkhs eval -model price.rkhs test.csv
//	rkhs inspect -model price.rkhs
//	rkhs export -model price.rkhs -o price.onnx
//	rkhs update - -model price.learner
//	rkhs serve -model price.rkhs
//
// It reads text tables (CSV, TSV and similar; see packages dataset and recipe), Parquet files,
// svmlight files and the IDX files of MNIST. Text and IDX files may be compressed with gzip. The
// file name "-" is a table on the standard input.
//
// Results go to the standard output, as text or with -json as JSON. Warnings and progress go to the
// standard error. An output file appears only when it is complete, and replaces an existing file
// only with -force. SIGINT and SIGTERM end a fit and save the best model so far. The exit code is 0
// for success, 1 for an error and 2 for wrong usage.
package main
