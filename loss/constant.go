package loss

import (
	"math"
	"slices"
)

// Constant returns the constant c that minimizes Σ_i l(c, y_i) over one or more finite targets y. A
// loss may provide it by a method Constant(sorted []float64) float64 of the ascending targets.
// Otherwise it is a zero of the sum of the derivatives, found by bisection: between the smallest and
// the largest target, and except for a Margin loss also outside, at doubling distances. For Huber
// and EpsilonInsensitive it is approximate. O(n·log n), plus up to 270·n derivatives.
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

// bracket returns an interval in which the slope changes its sign. It extends the range of the
// targets to at most 2⁶⁴ times their size.
func bracket(l Scalar, sorted []float64) (low, high float64) {
	low, high = sorted[0], sorted[len(sorted)-1]
	if Margin(l) {
		return low, high
	}
	step := max(1, math.Abs(low), math.Abs(high))
	if slope(l, low, sorted) > 0 {
		return extend(l, low, -step, sorted), low
	}
	if slope(l, high, sorted) < 0 {
		return high, extend(l, high, step, sorted)
	}
	return low, high
}

// extend returns a point in the direction of step where the slope has the sign of step, or end.
func extend(l Scalar, end, step float64, targets []float64) float64 {
	for range 64 {
		at := end + step
		if slope(l, at, targets)*step > 0 && !math.IsInf(at, 0) {
			return at
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

// middle returns the upper median.
func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

// mean returns the mean without overflow.
func mean(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}
