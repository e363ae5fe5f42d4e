package loss

import "slices"

// Constant returns the constant c between the smallest and the largest of the targets
// y, one or more finite numbers, of the least sum Σ_i l(c, y_i): what the method
// Constant(sorted []float64) float64 returns of the targets in ascending order, if
// there is one, and else the place where the sum of the derivatives changes its sign,
// found by bisection. The constant of Huber and of EpsilonInsensitive is near the
// least. O(n·log n), and up to 200·n derivatives for the bisection.
func Constant(l Scalar, y []float64) float64 {
	sorted := slices.Sorted(slices.Values(y))
	if c, ok := l.(interface{ Constant([]float64) float64 }); ok {
		return c.Constant(sorted)
	}
	low, high := sorted[0], sorted[len(sorted)-1]
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
