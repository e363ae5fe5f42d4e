// Package export writes models as JSON, for other languages and for inspection. Package onnx writes
// them for runtimes.
//
// The document contains kernel, points, weights, constants, frequencies of random features, labels
// and the decision rule, and the steps of a recipe. Every number is the shortest decimal with the
// same bits. [Document] and [Recipe] define the format; docs/files.md lists the formulas of the kernels.
// New versions only add fields, unless they change Document.Version.
//
// The document is much larger than the file of rkhs.Save, and no function reads models from it.
package export
