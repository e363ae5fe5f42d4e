package kernel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Check reports whether k is a kernel of the rows of x: an error that wraps
// rkhs.ErrOption for a parameter out of range, rkhs.ErrShape for rows of the
// wrong length, rkhs.ErrDomain, with row and column, for a value on which k is
// not defined. A kernel of another package is asked for its values at four of the
// rows: it is an error that wraps rkhs.ErrOption if Eval panics, or disagrees with
// what else k is computed by. Check does not look for values that are not finite. O(n·d).
func Check(k Kernel, x blas64.General) error { return check(k, "x", x) }

func check(k Kernel, name string, x blas64.General) (err error) {
	defer refusePanic(k, &err)
	if err := validate(k, x.Cols); err != nil {
		return err
	}
	if err := checkDomain(k, name, x); err != nil {
		return err
	}
	if foreign(k) {
		return checkAgreement(k, name, x)
	}
	return nil
}

func checkDomain(k Kernel, name string, x blas64.General) error {
	if _, ok := k.(Domain); !ok {
		return nil
	}
	for i := range x.Rows {
		row := compute.Row(x, i)
		if column, reason := outside(k, row); column >= 0 {
			return fmt.Errorf("kernel: %s at row %d, column %d: %v %s: %w", name, i, column, row[column], reason, rkhs.ErrDomain)
		}
	}
	return nil
}

// foreign reports whether k is a kernel of another package, or contains one.
func foreign(k Kernel) bool {
	own, ok := registry.Own(k)
	switch k := own.(type) {
	case Sum:
		return slices.ContainsFunc(k, foreign)
	case Product:
		return slices.ContainsFunc(k, foreign)
	case Scale:
		return foreign(k.Of)
	case ARD:
		return foreign(k.Of)
	case Projected:
		return foreign(k.Of)
	case LowRank:
		return foreign(k.Base)
	}
	return !ok
}

// roughly is far above the rounding errors by which two ways of computing a kernel
// differ, relative to the value and to √(k(x, x)·k(z, z)).
const roughly = 1e-6

// checkAgreement compares Eval with the engine of k at up to four rows spread over
// x: a type that embeds a kernel and changes Eval alone would otherwise be taken
// for the kernel without a word.
func checkAgreement(k Kernel, name string, x blas64.General) error {
	list := make([]int, min(x.Rows, 4))
	for i := range list {
		list[i] = i * x.Rows / len(list)
	}
	few := compute.Pick(x, list)
	values, diagonal := compute.NewMatrix(few.Rows, few.Rows), make([]float64, few.Rows)
	e := engineOf(k)
	e.cross(values, few, few, 1)
	e.diag(diagonal, few)
	for i, d := range diagonal {
		for j, got := range compute.Row(values, i) {
			want := k.Eval(compute.Row(few, i), compute.Row(few, j))
			bound := roughly * (math.Abs(want) + math.Sqrt(math.Abs(d))*math.Sqrt(math.Abs(diagonal[j])))
			if math.Abs(got-want) > bound || i == j && math.Abs(d-want) > bound {
				return fmt.Errorf("kernel: Eval of %T gives %v at rows %d and %d of %s, but its other methods %v; "+
					"a type that embeds a kernel must not change it, and may hold it in a field: %w", k, want, list[i], list[j], name, got, rkhs.ErrOption)
			}
		}
	}
	return nil
}
