// Package features draws random features of kernels in blocks and computes them for dense and sparse
// rows, in double and single precision. Package features of the module is its public face and describes
// the families, samplers and guarantees.
package features
