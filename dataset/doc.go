// Package dataset reads files, SQL queries and values of a program, splits and scales rows, and scores
// predictions.
//
//	all, err := dataset.Load("weights.csv", dataset.Options{})
//	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.2)
//	train, test := all.Select(trainRows), all.Select(testRows)
//	scale, err := dataset.Standardize(train.X, test.X)
//	model, err := slkl.Fit(ctx, train.X, train.Targets(), nil)
//	predicted, err := model.Predict(test.X)
//	rmse, err := dataset.RMSE(predicted, test.Targets())
//
// A [Set] is a matrix of finite numbers with targets. A [Table] has named columns of numbers, texts or
// times, some of which may be missing; package recipe fits learners to it. Hashing converts words to
// sparse rows. Splits, scaling and scores accept any mat.Matrix.
//
// # Files of numbers
//
// [Load] reads a whole file into a Set, Batches reads it in batches:
//
//	CSV       one row per line, the target in one of the columns (Options.Target)
//	svmlight  the sparse text format of LIBSVM, made dense (Options.Cols)
//	IDX       the binary format of MNIST, a file of images and one of labels
//
// Gzip may compress each of them. ReadCSV, ReadSVM and ReadIDX read from an io.Reader. ReadSparse,
// LoadSparse and SparseBatches keep svmlight rows sparse.
//
// Readers of a Set never guess. A missing or malformed value, a row of another length or a truncated file is
// an error with line and column, counted from 1. It wraps rkhs.ErrFormat, or rkhs.ErrNotFinite for NaN,
// infinities and overflow. Memory is at most a small multiple of the bytes read, except for the zeros of
// dense svmlight rows, which Options.MaxValues limits. Readers cannot detect that an uncompressed text was
// truncated at the end of a row or inside its last number.
//
// # Tables
//
// [LoadTable] and ReadTable read text tables: CSV and similar, ARFF, JSON lines. Packages parquet, arrow
// and excel read these formats. [FromSQL], [FromStructs] and [FromMaps] convert rows of a program, and
// TableOf combines columns.
//
// The cells of a column of texts determine its [Notation]: kind, unit, decimal sign, layouts of dates
// and words for missing cells. At least 99 % of the cells must agree. Other cells remain texts, and
// Column.Number returns their errors. Table.Notes reports all decisions. Recipe.Reading of package
// recipe reads a new file in the same notation. TableBatches keeps texts until Column.As reads them in a
// notation.
//
// # Splits, scaling and scores
//
// A Splitter divides row numbers at random (Random), by label (Stratified), by group (Grouped) or
// by time (Ordered, ByTime), into one split or the folds of a cross-validation.
//
// Fit a Scaling, such as Standard, to the training rows and apply it to all rows.
//
// RMSE, MAE, R2, Pinball and Coverage score numbers; Accuracy, LogLoss, CalibrationError, AUC and
// Confusion score labels. The prediction is the first argument and the truth the second. Scores are
// weighted if the truth is rkhs.Weighted. Set.Rows returns rows with the weights of a file
// (Options.Weights). Balanced and WeighClasses derive weights from labels.
package dataset
