// Command rkhs learns from a file and predicts, without a program:
//
//	rkhs train houses.csv -target price -model price.rkhs
//	rkhs predict -model price.rkhs new.csv > predicted.csv
//	rkhs eval -model price.rkhs test.csv
//	rkhs inspect -model price.rkhs
//	rkhs export -model price.rkhs -o price.onnx
//	rkhs update - -model price.learner
//	rkhs serve -model price.rkhs
//
// It reads tables of text (CSV, TSV and the like, with a header or without, cells missing,
// categories, dates, texts: packages dataset and recipe), Parquet files, svmlight files, whose rows
// stay sparse, and the IDX files of MNIST; those of text and of IDX also compressed by gzip. "-" stands for a table on the
// standard input.
//
// A model is written beside its place and put there when it is whole; a file that is there is
// not overwritten without -force. Results go to the standard output, as text or with
// -json, all else to the standard error. Ctrl-C and SIGTERM end a fit with its best model so far,
// which is saved. The exit code is 0, 1 where something failed, and 2 where the command was
// called wrongly.
package main
