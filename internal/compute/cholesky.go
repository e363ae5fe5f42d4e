package compute

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Cholesky overwrites the upper triangle of the symmetric matrix A with U such
// that A = UᵀU, reading that triangle only, and reports whether A is positive
// definite to working precision. O(n³/3).
func Cholesky(a Matrix, workers int) bool {
	_, ok := lapack64.Potrf(blas64.Symmetric{N: a.Rows, Stride: a.Stride, Data: a.Data, Uplo: blas.Upper})
	return ok
}

// SolveUpper overwrites B with U⁻¹B, or with U⁻ᵀB when trans is true; U is the
// upper triangle of an n×n matrix, B is n×k. O(n²k).
func SolveUpper(u, b Matrix, trans bool, workers int) {
	t := blas.NoTrans
	if trans {
		t = blas.Trans
	}
	blas64.Trsm(blas.Left, t, 1, blas64.Triangular{N: u.Rows, Stride: u.Stride, Data: u.Data, Uplo: blas.Upper, Diag: blas.NonUnit}, b)
}
