// Package input is the door through which data enters a learner: it copies a
// matrix of any kind into contiguous rows and refuses what is empty, of the
// wrong shape, or not finite. Behind it nothing is validated again.
package input

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Rows returns a contiguous copy of m. Errors begin with the name of the
// package and of the argument: rkhs.ErrEmpty without rows or columns,
// rkhs.ErrNotFinite naming the first row and column that is not finite.
func Rows(pkg, name string, m mat.Matrix) (blas64.General, error) {
	if m == nil {
		return blas64.General{}, fmt.Errorf("%s: %s is nil: %w", pkg, name, rkhs.ErrEmpty)
	}
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return blas64.General{}, fmt.Errorf("%s: %s is %d×%d: %w", pkg, name, r, c, rkhs.ErrEmpty)
	}
	rows := blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
	copyRows(rows, m)
	if err := Finite(pkg, name, rows); err != nil {
		return blas64.General{}, err
	}
	return rows, nil
}

// RowsOf is Rows for a matrix that must have the given number of columns; any
// other number is rkhs.ErrShape.
func RowsOf(pkg, name string, m mat.Matrix, cols int) (blas64.General, error) {
	if m != nil {
		if r, c := m.Dims(); r > 0 && c > 0 && c != cols {
			return blas64.General{}, fmt.Errorf("%s: %s has %d columns, want %d: %w", pkg, name, c, cols, rkhs.ErrShape)
		}
	}
	return Rows(pkg, name, m)
}

// Finite returns rkhs.ErrNotFinite naming the first row and column of m that is
// not finite.
func Finite(pkg, name string, m blas64.General) error {
	for i := range m.Rows {
		for j, v := range m.Data[i*m.Stride : i*m.Stride+m.Cols] {
			// v−v is 0 for finite v and NaN for all else.
			if v-v != 0 {
				return fmt.Errorf("%s: %s at row %d, column %d is %v: %w", pkg, name, i, j, v, rkhs.ErrNotFinite)
			}
		}
	}
	return nil
}

func copyRows(dst blas64.General, m mat.Matrix) {
	if raw, ok := m.(mat.RawMatrixer); ok {
		src := raw.RawMatrix()
		for i := range dst.Rows {
			copy(dst.Data[i*dst.Stride:i*dst.Stride+dst.Cols], src.Data[i*src.Stride:i*src.Stride+src.Cols])
		}
		return
	}
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Data[i*dst.Stride+j] = m.At(i, j)
		}
	}
}

// Labels turns a column of whole numbers into class indices. It returns the
// distinct labels in ascending order and, for each row, the index of its label
// among them. A value that is no whole number is rkhs.ErrLabels.
func Labels(pkg string, y blas64.General) (labels []int, index []int, err error) {
	if y.Cols != 1 {
		return nil, nil, fmt.Errorf("%s: labels need one column, got %d: %w", pkg, y.Cols, rkhs.ErrShape)
	}
	seen := map[int]int{}
	index = make([]int, y.Rows)
	for i := range index {
		v := y.Data[i*y.Stride]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return nil, nil, fmt.Errorf("%s: label %v in row %d is not a whole number: %w", pkg, v, i, rkhs.ErrLabels)
		}
		index[i] = int(v)
		seen[int(v)] = 0
	}
	labels = slices.Sorted(maps.Keys(seen))
	for k, l := range labels {
		seen[l] = k
	}
	for i, l := range index {
		index[i] = seen[l]
	}
	return labels, index, nil
}
