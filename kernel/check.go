package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"gonum.org/v1/gonum/mat"
)

// Check reports whether k is a kernel of the rows of x, n×d: an error that wraps
// rkhs.ErrOption for a parameter out of range, rkhs.ErrShape for rows of the
// wrong length, rkhs.ErrDomain, with row and column, for a value on which k is
// not defined, rkhs.ErrNotFinite or rkhs.ErrEmpty. A kernel of another package is
// asked for its values at four of the rows: it is an error that wraps rkhs.ErrOption
// if Eval panics, or disagrees with the other methods of k. O(n·d).
func Check(k Kernel, x mat.Matrix) error {
	rows, err := door.Points("kernel", "x", x)
	if err == nil {
		err = check(k, "x", rows)
	}
	return err
}

func check(k Kernel, name string, x compute.Points) (err error) {
	defer refusePanic(k, &err)
	if err := validate(k, x.Cols); err != nil {
		return err
	}
	if err := gram.CheckDomain(k, name, x); err != nil {
		return err
	}
	if foreign(k) {
		return checkAgreement(k, name, x)
	}
	return nil
}

// foreign reports whether k is a kernel of another package, or contains one.
func foreign(k Kernel) bool {
	return anyPart(k, func(k Kernel) bool {
		_, own := registry.Own(k)
		return !own
	})
}

// restricted reports whether k, or a kernel that it contains, is not defined on all points.
func restricted(k Kernel) bool {
	return anyPart(k, hasDomain)
}

// anyPart reports whether is holds of k or, where k is made of others, of one of these.
func anyPart(k Kernel, is func(Kernel) bool) bool {
	own, _ := registry.Own(k)
	some := func(of Kernel) bool { return anyPart(of, is) }
	switch k := own.(type) {
	case Sum:
		return slices.ContainsFunc(k, some)
	case Product:
		return slices.ContainsFunc(k, some)
	case Scale:
		return some(k.Of)
	case ARD:
		return some(k.Of)
	case Projected:
		return some(k.Of)
	case OneHot:
		return some(k.Of)
	case LowRank:
		return some(k.Base)
	}
	return is(k)
}

// roughly is far above the rounding errors by which two ways of computing a kernel
// differ, relative to the value and to √(k(x, x)·k(z, z)).
const roughly = 1e-6

// checkAgreement compares Eval with the engine of k at up to four rows spread over
// x: a type that embeds a kernel and changes Eval alone would otherwise be taken
// for the kernel without a word.
func checkAgreement(k Kernel, name string, x compute.Points) error {
	list := make([]int, min(x.Rows, 4))
	for i := range list {
		list[i] = i * x.Rows / len(list)
	}
	few := x.Pick(list).Dense()
	values, diagonal := compute.NewMatrix(few.Rows, few.Rows), make([]float64, few.Rows)
	e := gram.Evaluator{Kernel: k, Workers: 1}
	e.Cross(values, few, few)
	e.Diag(diagonal, few)
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
