package kernel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Check returns an error unless k is a kernel of the rows of x, n×d. The error wraps rkhs.ErrOption for a parameter
// out of range, rkhs.ErrShape for rows of the wrong length, rkhs.ErrDomain, with row and column, for a value outside
// of the domain of k, rkhs.ErrNotFinite or rkhs.ErrEmpty. Check evaluates a user-defined kernel at four of the rows,
// and returns an error that wraps rkhs.ErrOption if Eval panics or disagrees with the other methods. O(n·d).
func Check(k Kernel, x mat.Matrix) error {
	rows, err := input.Points("kernel", "x", x)
	if err == nil {
		err = check(k, "x", rows)
	}
	return err
}

func check(k Kernel, name string, x compute.Points) (err error) {
	defer recoverError(k, &err)
	if err := validate(k, x.Cols); err != nil {
		return err
	}
	if err := gram.CheckDomain(k, name, x); err != nil {
		return err
	}
	if anyPart(k, userDefined) {
		return checkAgreement(k, name, x)
	}
	return nil
}

func userDefined(k Kernel) bool {
	_, own := registry.Own(k)
	return !own
}

// restricted reports whether k, or a part of it, is undefined at some points.
func restricted(k Kernel) bool {
	return anyPart(k, func(k Kernel) bool {
		switch k.(type) {
		case Domain, domain:
			return true
		}
		return false
	})
}

// anyPart reports whether is(k) holds, or for a composed kernel, whether it holds for a part.
func anyPart(k Kernel, is func(Kernel) bool) bool {
	own, ok := registry.Own(k)
	if l, composed := own.(LowRank); composed {
		return anyPart(l.Base, is)
	}
	if s := structureOf(own); ok && s.Self != nil {
		parts := slices.Concat(s.Terms, s.Factors)
		if s.Of != nil {
			parts = append(parts, s.Of)
		}
		return slices.ContainsFunc(parts, func(k gram.Kernel) bool { return anyPart(k, is) })
	}
	return is(k)
}

// checkAgreement compares Eval with the engine of k at up to four rows of x. It detects a type that embeds a kernel and
// changes only Eval. The tolerance is much larger than rounding errors, relative to the value and to √(k(x, x)·k(z,
// z)).
func checkAgreement(k Kernel, name string, x compute.Points) error {
	const tolerance = 1e-6
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
			bound := tolerance * (math.Abs(want) + math.Sqrt(math.Abs(d))*math.Sqrt(math.Abs(diagonal[j])))
			if math.Abs(got-want) > bound || i == j && math.Abs(d-want) > bound {
				return fmt.Errorf("kernel: Eval of %T gives %v at rows %d and %d of %s, but its other methods %v; "+
					"a type that embeds a kernel must not change it, and may hold it in a field: %w",
					k, want, list[i], list[j], name, got, rkhs.ErrOption)
			}
		}
	}
	return nil
}

// maxLength bounds lengths such as a bandwidth, and their inverses, so that their squares are normal numbers.
const maxLength = 1e150

func checkLength(name string, v float64) error {
	if !(v >= 1/maxLength && v <= maxLength) {
		return fmt.Errorf("kernel: %s is %v, want a positive number between %g and %g: %w",
			name, v, 1/maxLength, maxLength, rkhs.ErrOption)
	}
	return nil
}

func checkNonnegative(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return fmt.Errorf("kernel: %s is %v, want a finite number ≥ 0: %w", name, v, rkhs.ErrOption)
	}
	return nil
}

// checkEach applies check to the elements of a list.
func checkEach(check func(name string, v float64) error, name string, list []float64) error {
	for i, v := range list {
		if check(name, v) != nil {
			return check(fmt.Sprintf("%s[%d]", name, i), v)
		}
	}
	return nil
}

// negative returns the first column of x that is negative.
func negative(x []float64) (int, string) {
	return slices.IndexFunc(x, func(v float64) bool { return v < 0 }), "is negative"
}

// notAbove returns the first column of x that is not above the bound.
func notAbove(x []float64, bound float64) (int, string) {
	column := slices.IndexFunc(x, func(v float64) bool { return !(v > bound) })
	if column < 0 {
		return -1, ""
	}
	return column, fmt.Sprintf("is not above %v", bound)
}

// checkCount panics unless there are n new values of parameters.
func checkCount(v []float64, n int) {
	if len(v) != n {
		panic(fmt.Sprintf("kernel: %d parameters given, want %d", len(v), n))
	}
}

// only returns the value of the one parameter.
func only(v []float64) float64 {
	checkCount(v, 1)
	return v[0]
}
