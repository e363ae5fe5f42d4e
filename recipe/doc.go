// Package recipe fits learners to a dataset.Table or to structs. It converts rows to numbers for the
// learners, and predictions back to numbers and classes of the table.
//
//	table, err := dataset.LoadTable("houses.csv", dataset.TableOptions{})
//	model, err := recipe.Fit(ctx, table, recipe.Options{Target: "price"}, ridge.Fit, nil)
//	err = rkhs.Save("price.rkhs", model)
//
// [Learn] derives a Recipe from the training rows. The kind of a column decides its encoding:
//
//   - Numbers are unchanged. The median replaces missing numbers. If training rows lack numbers, a
//     flag column marks missing cells.
//   - Categories become one indicator column for each level (distinct text) with at least three rows,
//     and one column for all other levels. More levels than Options.Levels are hashed.
//   - Dates become the time in years, and sine and cosine of the time of year, of week and, for
//     times, of day.
//   - Texts become counts of hashed words, scaled to Euclidean length one (dataset.Hashing). The
//     rows are then sparse, and numbers and times are standardized.
//   - Identifiers, blank columns and constant columns are ignored.
//
// Recipe.String describes the encoding of each column. A Model combines a recipe with a model of
// its rows. It predicts from tables with the columns in any order, and its file contains both.
//
// # Structs
//
// [FitStructs] fits a learner to a slice of structs, with a column for each field; dataset.FromStructs
// explains the tags. [StructModel] predicts structs, and [ForStructs] makes one from a Model, such as a
// loaded one. [Learner] and [StructLearner] train on streams of tables and structs.
//
// # New rows
//
// Missing cells, unknown levels, numbers outside the range of the training rows and missing columns are
// not errors. [Count] counts them for each column, in Predictions, Score and Rows, so that a program can
// detect drift. A cell of another kind or unit than its column is an error.
//
// # Missing cells
//
// Fewer than 64 training rows without a value are too few to learn the effect of a missing cell.
// If a row lacks such a cell, or has an unknown level, the model predicts it 64 times, with the
// values of the 64 most similar training rows in place of the cell. The prediction is the mean of
// the 64 predictions or probabilities. Interval bounds are quantiles of the 64 bounds; for a coverage
// above .97, the minimum and maximum. Predictions.Averaged reports these rows. The recipe and its
// file keep up to 500 random encoded training rows for this purpose.
//
// A level is unknown if it has no column and fewer than three training rows are among the other
// levels. A hashed level is unknown if no training row has it. Recipe.Inputs and exported models do
// not average.
package recipe
