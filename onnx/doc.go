// Package onnx writes models as ONNX graphs of standard operators, which runtimes of many
// languages evaluate: onnxruntime in C, C++, C#, Java, Python and JavaScript, in browsers
// too.
//
//	err := onnx.Write(file, model, onnx.Options{})
//
// # Inputs and outputs
//
// Write makes a graph of one input, "x", of as many rows as one likes and the d columns of
// the model. A regression has the output "predictions", rows×q: what Predict returns. A
// classifier has "scores", what Scores returns, and "labels", a vector of the labels as int64;
// ties are decided as Predict decides them; and "probabilities", rows×K, what Proba returns, if it
// was calibrated or its loss has them. ratio has both "scores", the function that was learned, and "predictions".
//
// WriteRecipe makes a graph of raw rows: an input of rows×1 for each column of the table that the
// recipe uses, named by the column. One of numbers is NaN where it is missing. One of levels
// is of strings, and missing where it is empty or one of the texts that stood for a missing
// cell in the table that was learned from. The labels of a classifier are then the texts of
// the classes. An output whose name a column has gets an underscore behind it. A recipe with dates, texts of words, or levels that are hashed is refused.
// The graph does not average rows with missing cells over similar training rows, as recipe.Model does.
//
// # What can be written
//
// Every kind of model, by the kernels that it has:
//
//	Gaussian, RationalQuadratic                     of squared distances
//	Matern with Nu = 1/2, 3/2, 5/2, … 21/2          of squared distances
//	Laplacian, Cauchy                               column by column
//	Linear, Polynomial, DotProduct, Hellinger       of inner products
//	Sum, Product, Scale, ARD, Projected, OneHot, LowRank    of these
//
// and by random features, those of any kernel that have frequencies (features.PartsOf),
// which stand in the file: it is then larger than that of rkhs.Save by the d·Columns/2
// frequencies of each block. Other kernels and features are errors that name them. A
// file has at most 2 GiB, as all protocol buffers. Where points are sparse they become dense.
//
// # Numbers
//
// Rows and points are centred by the medians of the points before distances are taken. In
// float64 squared distances are ‖x‖² + ‖z‖² − 2·xᵀz, not below 0, but for Matern with
// Nu = 1/2, whose slope at 0 would show the roots of their errors, and where points are more
// than a thousand lengths of the kernel from the centre: there, and
// everywhere in float32, they are sums of squared differences, some columns at a time, which
// cost several times as much. A batch takes a few numbers for each pair of a row and a point,
// or up to some 32768 for a row where it has fewer points. Functions of inner products are
// polynomials: up to 8192 coefficients, about the centre of the points, take the place of points and
// weights. In float32 wide kernels are taken less 1, and sums of many terms are sums of sums.
// Where terms of both signs are so large beside their sum that this does not do, scores are
// computed in double precision between two casts, which a runtime must then have: inputs and
// outputs are float32 all the same.
//
// What onnxruntime-web 1.30 makes of the files differs from what the models predict by less
// than 3e-11 of the spread of the predictions in float64, of the models of the tests, and in
// float32 by less than 2e-5 (go test -v -run Runtime ./onnx).
//
// Operators are those of ONNX 1.8 (opset 13, and LabelEncoder of ai.onnx.ml 2).
package onnx
