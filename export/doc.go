// Package export writes models as JSON, for programs that are not in Go and for reading
// them oneself. Package onnx writes them for runtimes.
//
// Every number stands in the document as the shortest decimal that gives its bits back:
// kernel, points, weights, constants, the frequencies of random features, labels and the
// rule by which scores decide, and what a recipe does with the columns of a table. The
// format is that of the types Document and Recipe of this page; docs/files.md tells it with
// the formulas of the kernels. It grows by new fields alone, unless Document.Version does.
//
// The document is many times larger than the file of rkhs.Save, and no model is read from
// it again: save models by rkhs.Save.
package export
