package gram

import (
	"fmt"
	"math"
	"reflect"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// RowCheck checks single rows for a kernel.
type RowCheck struct {
	kernel     Kernel
	restricted bool
}

// NewRowCheck returns the RowCheck of a valid kernel.
func NewRowCheck(k Kernel) RowCheck { return RowCheck{k, k != nil && source.Restricted(k)} }

// Row returns an error that wraps rkhs.ErrNotFinite or rkhs.ErrDomain if the kernel is not defined on x. It
// allocates for kernels that are not defined everywhere, and for errors.
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

// CheckDomain returns an error that wraps rkhs.ErrDomain and names row and column if a row of x is outside of the
// domain of k. name is the name of x in the error.
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

// Agree returns an error that wraps rkhs.ErrOption unless k and of have the same values. A type that embeds a kernel
// inherits all of its methods, which are wrong if the type has another Eval. Agree compares the two at pairs of
// points of length dim, one pair for each order of magnitude, since the scale of k is unknown.
func Agree(k, of Kernel, dim int) error {
	if reflect.TypeOf(k) == reflect.TypeOf(of) {
		return nil
	}
	points := compute.NewMatrix(2, dim)
	for stream, scale := uint32(0), 0x1p-60; scale <= 0x1p60; stream, scale = stream+1, scale*0x1p6 {
		drawPair(points, stream, scale, k)
		x, y := compute.Row(points, 0), compute.Row(points, 1)
		if inside(k, x) && inside(k, y) && !(sameValue(k, of, x, y) && sameValue(k, of, x, x)) {
			return fmt.Errorf("kernel: %T has methods of %T but another Eval; a type that embeds a kernel must not change it, and may hold it in a field: %w", k, of, rkhs.ErrOption)
		}
	}
	return nil
}

// drawPair draws two points about zero, with nonnegative coordinates if k is undefined elsewhere.
func drawPair(points compute.Matrix, stream uint32, scale float64, k Kernel) {
	compute.Uniforms(points.Data, compute.Address{Stream: stream}, 0)
	for i, u := range points.Data {
		points.Data[i] = scale * (u - 0.5)
	}
	if !inside(k, points.Data[:points.Cols]) || !inside(k, points.Data[points.Cols:]) {
		for i, v := range points.Data {
			points.Data[i] = math.Abs(v)
		}
	}
}

func inside(k Kernel, x []float64) bool {
	column, _ := source.Outside(k, x)
	return column < 0
}

// sameValue compares two values up to rounding. Values that are not finite agree; other pairs decide.
func sameValue(k, of Kernel, x, y []float64) bool {
	const tolerance = 1e-9
	got, want := k.Eval(x, y), of.Eval(x, y)
	if !compute.Finite(got) || !compute.Finite(want) {
		return true
	}
	return math.Abs(got-want) <= tolerance*(math.Abs(want)+math.Sqrt(of.Eval(x, x))*math.Sqrt(of.Eval(y, y)))
}
