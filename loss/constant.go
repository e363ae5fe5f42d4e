package loss

import (
	"math"
	"slices"
)

// Constant returns the constant c of the least sum Σ_i l(c, y_i) over the targets y, one
// or more finite numbers: what the method Constant(sorted []float64) float64 returns of
// the targets in ascending order, if there is one, and else the place where the sum of
// the derivatives changes its sign, found by bisection. It is sought between the
// smallest and the largest target, where that of a Margin loss stays, and then beyond
// them at distances that double. The constant of Huber and of EpsilonInsensitive is near
// the least. O(n·log n), and up to 270·n derivatives for the bisection.
func Constant(l Scalar, y []float64) float64 {
	sorted := slices.Sorted(slices.Values(y))
	if c, ok := l.(interface{ Constant([]float64) float64 }); ok {
		return c.Constant(sorted)
	}
	low, high := bracket(l, sorted)
	for range 200 {
		middle := low/2 + high/2
		if middle <= low || middle >= high {
			break
		}
		if slope(l, middle, sorted) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return low/2 + high/2
}

// bracket returns where the slope changes its sign: the range of the targets, beyond
// which it looks if the slope does not change there, as far as 2⁶⁴ times their size.
func bracket(l Scalar, sorted []float64) (low, high float64) {
	low, high = sorted[0], sorted[len(sorted)-1]
	if Margin(l) {
		return low, high
	}
	step := max(1, math.Abs(low), math.Abs(high))
	if slope(l, low, sorted) > 0 {
		return beyond(l, low, -step, sorted), low
	}
	if slope(l, high, sorted) < 0 {
		return high, beyond(l, high, step, sorted)
	}
	return low, high
}

// beyond returns a place on the side of step where the slope has its sign, end itself if
// it finds none.
func beyond(l Scalar, end, step float64, targets []float64) float64 {
	for range 64 {
		far := end + step
		if slope(l, far, targets)*step > 0 && !math.IsInf(far, 0) {
			return far
		}
		step *= 2
	}
	return end
}

func slope(l Scalar, f float64, targets []float64) (sum float64) {
	for _, y := range targets {
		sum += l.Derivative(f, y)
	}
	return sum
}

// middle returns the upper one of the two elements in the middle.
func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

// mean does not overflow.
func mean(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}
