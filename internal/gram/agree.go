package gram

import (
	"fmt"
	"math"
	"reflect"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Agree returns an error that wraps rkhs.ErrOption unless k and of have the same
// values. A type that embeds a kernel has all of its methods: if it gives Eval anew,
// and means another kernel by that, they speak of the wrong one. The two are compared
// at a few pairs of points of length dim, a pair at each order of magnitude, since the
// scale of k is not known.
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

// drawPair draws two points about zero, or with nonnegative coordinates if the domain
// of k asks for that.
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

// sameValue allows for rounding, of which there may be more in an Eval that takes
// another way.
func sameValue(k, of Kernel, x, y []float64) bool {
	const tolerance = 1e-9
	got, want := k.Eval(x, y), of.Eval(x, y)
	if !compute.Finite(got) || !compute.Finite(want) {
		return true // other pairs decide
	}
	return math.Abs(got-want) <= tolerance*(math.Abs(want)+math.Sqrt(of.Eval(x, x))*math.Sqrt(of.Eval(y, y)))
}
