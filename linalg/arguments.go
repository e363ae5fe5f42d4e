package linalg

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// checkLen panics if an argument has the wrong length.
func checkLen(name string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("linalg: %s has length %d, want %d", name, got, want))
	}
}

// checkIndex panics unless 0 <= i < n.
func checkIndex(name string, i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("linalg: %s %d is out of range, there are %d", name, i, n))
	}
}

// checkDims panics if a matrix has the wrong dimensions.
func checkDims(name string, m compute.Matrix, rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(fmt.Sprintf("linalg: %s is %d×%d, want %d×%d", name, m.Rows, m.Cols, rows, cols))
	}
}

// resize returns the first n numbers of a scratch slice, which grows as needed. Their values are
// arbitrary.
func resize(s *[]float64, n int) []float64 {
	*s = compute.Resize(*s, n)
	return *s
}
