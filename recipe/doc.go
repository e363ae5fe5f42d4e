// Package recipe makes numbers of the rows of a table, and answers of what a model predicts:
// it stands between dataset.Table, which holds the cells of a file, and the learners, which take
// matrices.
//
//	table, err := dataset.LoadTable("houses.csv", dataset.TableOptions{})
//	model, err := recipe.Fit(ctx, table, recipe.Options{Target: "price"}, ridge.Fit, nil)
//	err = rkhs.Save("price.rkhs", model)
//
// A Recipe is learned from the rows to train on and from these alone. What it does with a
// column follows from its kind:
//
//   - Numbers stay as they are; one that is missing becomes the median. Where some were
//     missing, a further column says which.
//   - Categories become a column for each level that has at least three rows, with a 1 in its
//     rows, and one for all others, levels that come later among them. With more
//     levels than Options.Levels they are hashed into as many columns.
//   - Dates become the time in years, and sine and cosine of the parts of the year, of the
//     week and, if they tell it, of the day.
//   - Texts become counts of hashed words, of Euclidean length one (dataset.Hashing). Rows are
//     then sparse, and numbers and times divided by their standard deviation.
//   - Identifiers, blank columns and columns of a single value are left out.
//
// Recipe.String says what became of each column. A Model is a recipe with what was fitted to
// its rows; it predicts from raw rows, in which columns may stand in any order, and its file
// holds both. Cells that are missing, levels that are new and columns that are not there are
// borne and counted (Count).
//
// # Missing cells
//
// A row that lacks a cell, or has an unknown level, in a column that fewer than 64 training rows
// lack is predicted 64 times, with the values of the 64 most similar training rows in
// place of the cell. The prediction is the mean, of every loss; probabilities are the mean
// probabilities, and the label is their argmax. The bounds of intervals are quantiles of the
// 64 bounds: for levels above .97 the least and the largest. Predictions.Averaged reports such rows. In other columns, a missing
// cell becomes the median and the flag. A recipe keeps up to 500 random training rows
// for this, encoded, in its file.
// A level is unknown if it has no column and fewer than three training rows are among the others;
// a hashed level, if no training row has it.
// Recipe.Inputs does not average, nor does an exported model.
//
// Use the learners as they are where rows are numbers already: a recipe costs the time to
// read text.
package recipe
