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
// FILE is one of these:
//
//	a text table      CSV, TSV and similar, ARFF, JSON lines; see packages dataset and recipe
//	a table of values Parquet, Arrow IPC (.arrow), the first sheet of .xlsx
//	rows of numbers   svmlight, or the IDX files of MNIST; describe does not read these
//	a folder or a pattern such as 'data/*.csv', with files of the same columns
//	sqlite:FILE       the only table of a database, or sqlite:FILE?query=SELECT …
//	-                 a text table on the standard input
//
// Gzip may compress texts and IDX files.
//
// describe, train and update print remarks on unusual cells, such as units; predict, eval and update
// print counts of cells that differ from the training rows, such as unknown levels.
//
// Results go to the standard output, as text or with -json as JSON. Warnings and progress go to the
// standard error. An output file appears only when it is complete, and replaces an existing file
// only with -force. SIGINT and SIGTERM end a fit and save the best model so far. The exit code is 0
// for success, 1 for an error and 2 for wrong usage.
package main
