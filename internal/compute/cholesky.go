package compute

import "math"

// Cholesky overwrites the upper triangle of the symmetric n×n matrix A with U such
// that A = UᵀU. It does not access the elements below the diagonal. It returns
// false, with the triangle partly overwritten, if A is not positive definite to
// working precision. O(n³/3).
//
// The factorization is recursive on halves of A, so matrix products do most of the
// work.
func Cholesky(a Matrix, workers int) bool {
	if a.Rows != a.Cols {
		panic("compute: Cholesky factor of a matrix that is not square")
	}
	return use64.cholesky(of64(a), workersFor(a.Rows*a.Rows*a.Rows/6, workers))
}

func (e *engine[T]) cholesky(a matrix[T], workers int) bool {
	n := a.rows
	if n <= small {
		return e.choleskySmall(a)
	}
	h := half(n)
	first, rest, last := a.block(0, h, 0, h), a.block(0, h, h, n), a.block(h, n, h, n)
	if !e.cholesky(first, workers) {
		return false
	}
	e.solveUpper(first, rest, true, workers)
	e.multiply(last, minus(columnsOf(rest)), columnsOf(rest), true, workers)
	return e.cholesky(last, workers)
}

// choleskySmall factorizes row by row in scratch memory with fixed-width rows. It
// ignores the scratch elements below the diagonal.
func (e *engine[T]) choleskySmall(a matrix[T]) bool {
	scratch := e.buffer(small * small)
	defer scratch.free()
	u := scratch.data
	clear(u)
	for i := range a.rows {
		copy(u[i*small+i:], a.row(i, i, a.cols))
	}
	for i := range a.rows {
		row := u[i*small : (i+1)*small]
		for j := i / stripWidth * stripWidth; j < small; j += stripWidth {
			e.eliminate(row[j:j+stripWidth], u[i:], small, u[j:], small, i, 1)
		}
		if !(row[i] > 0) {
			return false
		}
		pivot := T(math.Sqrt(float64(row[i])))
		for j := i / stripWidth * stripWidth; j < small; j += stripWidth {
			e.eliminate(row[j:j+stripWidth], nil, 0, nil, 0, 0, pivot)
		}
		copy(a.row(i, i, a.cols), row[i:])
	}
	return true
}
