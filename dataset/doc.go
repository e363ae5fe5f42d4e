// Package dataset brings tables of numbers to a learner and its predictions to a
// score: it reads files, parts rows to train on from rows to test on, brings
// columns to one scale, and measures.
//
//	all, err := dataset.Load("weights.csv", dataset.Options{})
//	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.2)
//	train, test := all.Select(trainRows), all.Select(testRows)
//	scale, err := dataset.Standardize(train.X, test.X)
//	model, err := slkl.Fit(ctx, train.X, train.Targets(), nil)
//	predicted, err := model.Predict(test.X)
//	rmse, err := dataset.RMSE(predicted, test.Targets())
//
// Use it for tables of finite numbers that fit in memory, or, by Batches, pass by
// it a few rows at a time. It has no columns of dates and no missing values: encode and
// fill these before. Words, and categories of any number, become sparse rows by Hashing.
// Whoever has a mat.Matrix already needs the splits, the scaling and the scores alone, which
// take any.
//
// # Files
//
// Load reads a whole file, Batches the same file a few rows at a time. Both take
//
//	CSV       one row a line, the target in one of the columns (Options.Target)
//	svmlight  the sparse text format of LIBSVM, made dense (Options.Cols)
//	IDX       the binary format of MNIST, a file of images and one of labels
//
// each of them plain or compressed by gzip, which is seen from the contents. The
// format follows from the name, and from the contents where the name tells
// nothing; see Load. ReadCSV, ReadSVM and ReadIDX read from an io.Reader.
//
// ReadSparse, LoadSparse and SparseBatches keep the rows of svmlight sparse, of any number
// of columns.
//
// Values are finite float64 numbers. A reader never guesses what a broken file
// meant: a missing or malformed value, a NaN, a row of another length, a file
// that was cut off is an error that names the place, counted from 1, and wraps
// rkhs.ErrFormat, or rkhs.ErrNotFinite for a NaN, an infinity or a number beyond
// the range of float64. Sizes that a file declares are not believed before the
// data has come: memory stays within a small multiple of what was read, but for
// the zeros of svmlight, which Options.MaxValues limits.
//
// One kind of damage cannot be seen: a plain CSV or svmlight file that was cut
// off at the end of a row, or inside its last number. Compressed files are safe
// from it.
//
// # Splits
//
// A Splitter says which rows may be parted, at random (Random), by label
// (Stratified), by group (Grouped) or in time (Ordered, ByTime), and makes one
// split of it or the folds of a cross-validation. It deals in numbers of rows, so
// that whatever else belongs to a row can go the same way.
//
// # Scaling
//
// A Scaling, such as Standard, is fitted to the rows to train on and applied to
// all others, never fitted to those to test on, about which it would tell.
//
// # Scores
//
// RMSE, MAE, R2 and Pinball measure numbers, Accuracy, LogLoss, AUC and Confusion
// labels. All take the prediction first and the truth second, and refuse what
// does not fit together or is not finite.
//
// # Weights
//
// Options.Weights is the column of a CSV file that holds weights of the rows, Set.Rows are
// the rows with them, as learners take them, and Balanced and WeighClasses make weights of
// labels. A score is that with weights if the truth is rkhs.Weighted.
package dataset
