package dataset

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// dense returns m, or a copy of it if it is of another type. A matrix that is nil
// or empty is rkhs.ErrEmpty, an entry that is not finite rkhs.ErrNotFinite.
func dense(name string, m mat.Matrix) (*mat.Dense, error) {
	if isNil(m) {
		return nil, fmt.Errorf("%s is nil: %w", name, rkhs.ErrEmpty)
	}
	r, c := m.Dims()
	if r == 0 || c == 0 {
		return nil, fmt.Errorf("%s is %d×%d: %w", name, r, c, rkhs.ErrEmpty)
	}
	d, ok := m.(*mat.Dense)
	if !ok {
		d = mat.DenseCopyOf(m)
	}
	for i := range r {
		for j, v := range d.RawRowView(i) {
			if v-v != 0 { // 0 for finite v and NaN for all else
				return nil, fmt.Errorf("%s at row %d, column %d is %v: %w", name, i, j, v, rkhs.ErrNotFinite)
			}
		}
	}
	return d, nil
}

// isNil also finds the nil pointer inside an interface.
func isNil(m mat.Matrix) bool {
	if m == nil {
		return true
	}
	v := reflect.ValueOf(m)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
