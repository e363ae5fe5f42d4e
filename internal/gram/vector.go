package gram

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// SquaredDistance returns ‖x−y‖².
func SquaredDistance(x, y []float64) float64 {
	return compute.RowSquaredDistance(x, SameLength(x, y))
}

// Dot returns <x, y>.
func Dot(x, y []float64) float64 { return compute.RowDot(x, SameLength(x, y)) }

// squaredDistanceInOrder is SquaredDistance with one chain of additions, which is faster for few coordinates.
func squaredDistanceInOrder(x, y []float64) float64 {
	y = SameLength(x, y)
	s := 0.0
	for i, v := range x {
		d := v - y[i]
		s += float64(d * d)
	}
	return s
}

// AbsoluteDistance returns ‖x−y‖₁. Four chains of additions hide the latency of each.
func AbsoluteDistance(x, y []float64) float64 {
	y = SameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += math.Abs(x[0] - y[0])
		s1 += math.Abs(x[1] - y[1])
		s2 += math.Abs(x[2] - y[2])
		s3 += math.Abs(x[3] - y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += math.Abs(v - y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// SquaredDifferences sets dst_i = factor·(x_i−y_i)².
func SquaredDifferences(dst, x, y []float64, factor float64) {
	y = SameLength(x, y)
	for i, v := range x {
		d := v - y[i]
		dst[i] = factor * d * d
	}
}

// Norm returns the Euclidean norm of x.
func Norm(x []float64) float64 { return blas64.Nrm2(compute.Vector(x)) }

// Angle returns the angle between x and y, of length nx and ny, up to rounding. The arc cosine of their inner
// product would lose half of the digits near 0 and π.
func Angle(x, y []float64, nx, ny float64) float64 {
	var minus, plus float64
	for i, v := range x {
		u, w := v/nx, y[i]/ny
		minus += (u - w) * (u - w)
		plus += (u + w) * (u + w)
	}
	return 2 * math.Atan2(math.Sqrt(minus), math.Sqrt(plus))
}

// Power returns x^n for n ≥ 0 by repeated squaring.
func Power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// SameLength returns y[:len(x)]. The compiler then omits bounds checks. It panics if the lengths differ.
func SameLength(x, y []float64) []float64 {
	if len(x) != len(y) {
		panic(lengths{len(x), len(y)})
	}
	return y[:len(x)]
}

// lengths is the panic value for two points of different length.
type lengths [2]int

func (l lengths) Error() string {
	return fmt.Sprintf("kernel: points of length %d and %d", l[0], l[1])
}
