// Package onnx writes models as ONNX graphs of standard operators for runtimes such as onnxruntime in
// C, C++, C#, Java, Python and JavaScript.
//
//	err := onnx.Write(file, model, onnx.Options{})
//
// # Inputs and outputs
//
// A graph of [Write] has one input "x", rows×d. A regression has the output "predictions", rows×q. A
// classifier has "scores" (Scores), "labels" as int64 (Predict, with the same ties), and
// "probabilities", rows×K (Proba), if it is calibrated or its loss has them. A density ratio has
// "scores", the values before the output map, and "predictions".
//
// A graph of [WriteRecipe] has an input rows×1 with the name of each column of the table that the
// recipe uses. Missing numbers are NaN. Levels are strings; the empty string and the texts of
// missing cells in the training table are missing. Labels are the texts of the classes. An output
// with the name of a column gets a trailing underscore. Dates, texts and hashed levels are errors.
// The graph does not average rows with missing cells like recipe.Model.
//
// # Supported models
//
// All kinds of models, with these kernels:
//
//	Gaussian, RationalQuadratic                          of squared distances
//	Matern with Nu = 1/2, 3/2, 5/2, … 21/2               of squared distances
//	Laplacian, Cauchy                                    column by column
//	Linear, Polynomial, DotProduct, Hellinger            of inner products
//	Sum, Product, Scale, ARD, Projected, OneHot, Warped, LowRank of other kernels
//
// and with random features of any kernel with frequencies ([features.PartsOf]). The file contains the
// frequencies. Other kernels and features are errors. A file has at most 2 GiB, the limit of
// protocol buffers. Sparse points become dense.
//
// # Numbers
//
// Distances use rows and points relative to the medians of the points. In float64, a squared
// distance is max(‖x‖² + ‖z‖² − 2·xᵀz, 0). In float32, for Matern with Nu = 1/2, and for points more
// than 1000 length scales from the centre, it is a sum of squared differences over blocks of
// columns, which is several times slower. A batch needs a few numbers per pair of row and point, or
// about 32768 per row with fewer points. A function of inner products is a polynomial about the
// centre; with up to 8192 coefficients, these replace points and weights. In float32, wide kernels
// are evaluated as k − 1, and long sums as sums of sums. If terms cancel too much for float32, the
// scores are computed in float64 between two casts.
//
// For the models of the tests, onnxruntime-web 1.30 differs from Predict by less than 3e-11 of the
// spread of the predictions in float64, and by less than 2e-5 in float32 (go test -v -run Runtime
// ./onnx).
//
// The operators are from ONNX 1.8 (opset 13, and LabelEncoder of ai.onnx.ml 2).
package onnx
