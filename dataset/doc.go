// Package dataset reads tables of numbers, splits and scales them, and scores predictions.
//
//	all, err := dataset.Load("weights.csv", dataset.Options{})
//	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.2)
//	train, test := all.Select(trainRows), all.Select(testRows)
//	scale, err := dataset.Standardize(train.X, test.X)
//	model, err := slkl.Fit(ctx, train.X, train.Targets(), nil)
//	predicted, err := model.Predict(test.X)
//	rmse, err := dataset.RMSE(predicted, test.Targets())
//
// A [Set] holds finite numbers only. Read files with categories, dates or missing values into a Table
// and encode it with package recipe. Hashing converts words to sparse rows. Splits, scaling and
// scores accept any mat.Matrix.
//
// # Files
//
// [Load] reads a whole file, Batches reads it in batches:
//
//	CSV       one row per line, the target in one of the columns (Options.Target)
//	svmlight  the sparse text format of LIBSVM, made dense (Options.Cols)
//	IDX       the binary format of MNIST, a file of images and one of labels
//
// Gzip may compress each of them. ReadCSV, ReadSVM and ReadIDX read from an io.Reader. ReadSparse,
// LoadSparse and SparseBatches keep svmlight rows sparse.
//
// LoadTable and ReadTable read text into a Table of numbers, texts and times, and TableOf combines
// columns of a program. The cells of a column decide on its [Notation]: kind, unit, decimal sign,
// layouts of dates and words for missing cells. At least 99 % of the cells must agree. Other cells
// remain texts, and Column.Number returns their errors. Table.Notes reports all decisions.
// TableBatches keeps texts until Column.As reads them in a notation.
//
// Readers of a Set never guess. A missing or malformed value, a row of another length or a truncated file is
// an error with line and column, counted from 1. It wraps rkhs.ErrFormat, or rkhs.ErrNotFinite for NaN,
// infinities and overflow. Memory is at most a small multiple of the bytes read, except for the zeros of
// dense svmlight rows, which Options.MaxValues limits. Readers cannot detect that an uncompressed text was
// truncated at the end of a row or inside its last number.
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
