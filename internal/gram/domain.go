package gram

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// RowCheck tells whether single rows are such that a kernel is defined on them.
type RowCheck struct {
	kernel     Kernel
	restricted bool
}

// NewRowCheck returns that of a kernel that is valid.
func NewRowCheck(k Kernel) RowCheck { return RowCheck{k, k != nil && source.Restricted(k)} }

// Row returns what Check says of a row, or rkhs.ErrNotFinite. It allocates for kernels that are
// not defined everywhere, and for errors.
func (c RowCheck) Row(x []float64) error {
	for j, v := range x {
		if v-v != 0 {
			return fmt.Errorf("x is %v in column %d: %w", v, j, rkhs.ErrNotFinite)
		}
	}
	if !c.restricted {
		return nil
	}
	return CheckDomain(c.kernel, "x", compute.DensePoints(compute.RowOf(x)))
}

// CheckDomain returns an error that wraps rkhs.ErrDomain, with row and column, if a row of x, called name, is
// outside of the domain of k.
func CheckDomain(k Kernel, name string, x compute.Points) error {
	if !source.Restricted(k) {
		return nil
	}
	var memory compute.Matrix
	if x.Sparse != nil {
		memory = compute.NewMatrix(1, x.Cols)
	}
	for i := range x.Rows {
		one := x.Between(i, i+1)
		if x.Sparse != nil {
			one.DenseTo(memory)
			one.Matrix = memory
		}
		row := compute.Row(one.Matrix, 0)
		if column, reason := source.Outside(k, row); column >= 0 {
			return fmt.Errorf("kernel: %s at row %d, column %d: %v %s: %w", name, i, column, row[column], reason, rkhs.ErrDomain)
		}
	}
	return nil
}
