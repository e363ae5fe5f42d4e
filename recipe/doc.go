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
// Use the learners as they are where rows are numbers already: a recipe costs the time to
// read text.
package recipe
