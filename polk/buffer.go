package polk

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// reshape makes m an r×c matrix, in its own memory where that is enough; the
// elements are whatever was left there.
func reshape(m *compute.Matrix, r, c int) compute.Matrix {
	*m = compute.Matrix{Rows: r, Cols: c, Stride: c, Data: resize(m.Data, r*c)}
	return *m
}

// pickTo makes dst a copy of rows of x, in its own memory where that is enough.
func pickTo(dst *compute.Points, x compute.Points, rows []int) {
	if x.Sparse != nil {
		*dst = x.Pick(rows)
		return
	}
	dst.Sparse = nil
	compute.PickTo(reshape(&dst.Matrix, len(rows), x.Cols), x.Matrix, rows)
}

// resize returns a slice of n elements, in the memory of s where that is enough;
// the elements are whatever was left there.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
