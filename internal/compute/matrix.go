package compute

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// Matrix is a dense row-major matrix.
type Matrix = blas64.General

// Matrix32 is a dense row-major matrix of single precision.
type Matrix32 = blas32.General

// Rows returns rows [from, to) of m; it shares the data of m.
func Rows(m Matrix, from, to int) Matrix {
	return Matrix{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : max(from*m.Stride, (to-1)*m.Stride+m.Cols)]}
}

// NewMatrix returns an r×c matrix of zeros.
func NewMatrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// NewMatrix32 returns an r×c matrix of zeros.
func NewMatrix32(r, c int) Matrix32 {
	return Matrix32{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float32, r*c)}
}

// A float is an element type.
type float interface{ float32 | float64 }

// A matrix is a Matrix of either precision.
type matrix[T float] struct {
	rows, cols, stride int
	data               []T
}

func of64(m Matrix) matrix[float64]   { return matrix[float64]{m.Rows, m.Cols, m.Stride, m.Data} }
func of32(m Matrix32) matrix[float32] { return matrix[float32]{m.Rows, m.Cols, m.Stride, m.Data} }

// row returns columns [from, to) of row i.
func (m matrix[T]) row(i, from, to int) []T {
	if from == to {
		return nil // a matrix without columns need not have data
	}
	return m.data[i*m.stride+from : i*m.stride+to]
}

// block returns rows [r0, r1) and columns [c0, c1).
func (m matrix[T]) block(r0, r1, c0, c1 int) matrix[T] {
	if r0 == r1 || c0 == c1 {
		return matrix[T]{rows: r1 - r0, cols: c1 - c0, stride: m.stride}
	}
	return matrix[T]{r1 - r0, c1 - c0, m.stride, m.data[r0*m.stride+c0 : (r1-1)*m.stride+c1]}
}

func (m matrix[T]) clear() {
	for i := range m.rows {
		clear(m.row(i, 0, m.cols))
	}
}
