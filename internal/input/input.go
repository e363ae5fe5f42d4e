// Package input validates the input of learners: matrices, labels, weights, options and contexts. It copies
// matrices of any type into contiguous rows and scans each row once. Store returns results to the caller.
package input

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Check validates a matrix. Errors begin with the names of the package and of the argument. They wrap
// rkhs.ErrEmpty if m is nil or has no rows or columns, rkhs.ErrNotFinite with the first element that is not
// finite, and rkhs.ErrOption if m has weights.
func Check(pkg, name string, m mat.Matrix) error {
	if IsSparse(m) {
		_, err := Points(pkg, name, m)
		return err
	}
	if err := checkSizes(pkg, name, m); err != nil {
		return err
	}
	if raw, ok := m.(mat.RawMatrixer); ok {
		return Finite(pkg, name, raw.RawMatrix())
	}
	r, c := m.Dims()
	scanned.Add(int64(r))
	for i := range r {
		for j := range c {
			if v := m.At(i, j); v-v != 0 {
				return notFinite(pkg, name, i, j, v)
			}
		}
	}
	return nil
}

// checkSizes is Check without the scan of elements.
func checkSizes(pkg, name string, m mat.Matrix) error {
	if IsNil(m) {
		return fmt.Errorf("%s: %s is nil: %w", pkg, name, rkhs.ErrEmpty)
	}
	if _, ok := weighted(m); ok {
		return fmt.Errorf("%s: %s has weights, which it has no use for here: %w", pkg, name, rkhs.ErrOption)
	}
	r, c, err := dims(m)
	if err != nil {
		return fmt.Errorf("%s: %s is %w", pkg, name, err)
	}
	if r == 0 || c == 0 {
		return fmt.Errorf("%s: %s is %d×%d: %w", pkg, name, r, c, rkhs.ErrEmpty)
	}
	return nil
}

// scanned counts the rows that were scanned for numbers that are not finite.
var scanned atomic.Int64

// Scanned returns the total number of scanned rows. Tests verify that learners scan rows once.
func Scanned() int64 { return scanned.Load() }

// Rows returns a contiguous copy of m after Check. It converts sparse rows to dense rows of up to 2 GiB.
// For more memory the error wraps rkhs.ErrMemory.
func Rows(pkg, name string, m mat.Matrix) (blas64.General, error) {
	if IsSparse(m) {
		return dense(pkg, name, m)
	}
	if err := Check(pkg, name, m); err != nil {
		return blas64.General{}, err
	}
	return mat.DenseCopyOf(m).RawMatrix(), nil
}

// View returns the rows of m after Check, without a copy if possible. The caller must not write or keep
// them.
func View(pkg, name string, m mat.Matrix) (blas64.General, error) {
	raw, ok := m.(mat.RawMatrixer)
	if !ok {
		return Rows(pkg, name, m)
	}
	if err := Check(pkg, name, m); err != nil {
		return blas64.General{}, err
	}
	return raw.RawMatrix(), nil
}

// RowsOf is Rows for a matrix with the given number of columns, otherwise rkhs.ErrShape.
func RowsOf(pkg, name string, m mat.Matrix, cols int) (blas64.General, error) {
	r, err := Rows(pkg, name, m)
	if err == nil && r.Cols != cols {
		return blas64.General{}, fmt.Errorf("%s: %s has %d columns, want %d: %w", pkg, name, r.Cols, cols, rkhs.ErrShape)
	}
	return r, err
}

// IsNil reports whether m is nil or a nil pointer.
func IsNil(v any) bool {
	p := reflect.ValueOf(v)
	return v == nil || p.Kind() == reflect.Pointer && p.IsNil()
}

// dims returns an error if Dims panics, as it does for mat.Transpose{}.
func dims(m mat.Matrix) (r, c int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a %T without dimensions: %v: %w", m, p, rkhs.ErrEmpty)
		}
	}()
	r, c = m.Dims()
	return r, c, nil
}

// Finite returns an error that wraps rkhs.ErrNotFinite and names the first element that is not finite.
func Finite(pkg, name string, m blas64.General) error {
	scanned.Add(int64(m.Rows))
	for i := range m.Rows {
		for j, v := range m.Data[i*m.Stride : i*m.Stride+m.Cols] {
			// v−v is 0 for finite v and NaN otherwise.
			if v-v != 0 {
				return notFinite(pkg, name, i, j, v)
			}
		}
	}
	return nil
}

func notFinite(pkg, name string, i, j int, v float64) error {
	return fmt.Errorf("%s: %s at row %d, column %d is %v: %w", pkg, name, i, j, v, rkhs.ErrNotFinite)
}

// Destination returns the elements of dst, which it resizes if it is empty. A nil dst or another size is
// rkhs.ErrShape.
func Destination(pkg string, dst *mat.Dense, rows, cols int) (blas64.General, error) {
	if dst == nil {
		return blas64.General{}, fmt.Errorf("%s: dst is nil: %w", pkg, rkhs.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(rows, cols)
	} else if r, c := dst.Dims(); r != rows || c != cols {
		return blas64.General{}, fmt.Errorf("%s: dst is %d×%d, want %d×%d: %w", pkg, r, c, rows, cols, rkhs.ErrShape)
	}
	return dst.RawMatrix(), nil
}

// Store copies out, which is not empty, to the Destination dst.
func Store(pkg string, dst *mat.Dense, out blas64.General) error {
	to, err := Destination(pkg, dst, out.Rows, out.Cols)
	if err != nil {
		return err
	}
	for i := range out.Rows {
		copy(to.Data[i*to.Stride:i*to.Stride+to.Cols], out.Data[i*out.Stride:i*out.Stride+out.Cols])
	}
	return nil
}
