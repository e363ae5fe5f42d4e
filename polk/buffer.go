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

// resize returns a slice of n elements, in the memory of s where that is enough;
// the elements are whatever was left there.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
