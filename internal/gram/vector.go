package gram

import (
	"fmt"
	"math"
)

// The sums over coordinates below run in four interleaved parts: one chain of
// additions would wait for the latency of each.

func SquaredDistance(x, y []float64) float64 {
	y = SameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		d0, d1, d2, d3 := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		d := v - y[i]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

// squaredDistanceInOrder is squaredDistance in one chain: the sum of few coordinates
// waits for nothing.
func squaredDistanceInOrder(x, y []float64) float64 {
	y = SameLength(x, y)
	s := 0.0
	for i, v := range x {
		d := v - y[i]
		s += float64(d * d)
	}
	return s
}

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

func Dot(x, y []float64) float64 {
	y = SameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// squaredDifferences sets dst_i = factor·(x_i−y_i)².
func SquaredDifferences(dst, x, y []float64, factor float64) {
	y = SameLength(x, y)
	for i, v := range x {
		d := v - y[i]
		dst[i] = factor * d * d
	}
}

// sameLength returns y cut to the length of x so that the compiler sees it.
func SameLength(x, y []float64) []float64 {
	if len(x) != len(y) {
		panic(lengths{len(x), len(y)})
	}
	return y[:len(x)]
}

// lengths is what the package panics with when two points differ in length.
type lengths [2]int

func (l lengths) Error() string {
	return fmt.Sprintf("kernel: points of length %d and %d", l[0], l[1])
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
