package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
)

// Check reports whether k is a kernel of the rows of x: an error that wraps
// rkhs.ErrOption for a parameter out of range, rkhs.ErrShape for rows of the
// wrong length, rkhs.ErrDomain, with row and column, for a value on which k is
// not defined. It does not look for values that are not finite. O(n·d).
func Check(k Kernel, x blas64.General) error { return check(k, "x", x) }

func check(k Kernel, name string, x blas64.General) error {
	if err := validate(k, x.Cols); err != nil {
		return err
	}
	if _, ok := k.(Domain); !ok {
		return nil
	}
	for i := range x.Rows {
		row := rowOf(x, i)
		if column, reason := outside(k, row); column >= 0 {
			return fmt.Errorf("kernel: %s at row %d, column %d: %v %s: %w", name, i, column, row[column], reason, rkhs.ErrDomain)
		}
	}
	return nil
}
