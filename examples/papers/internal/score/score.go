// Package score computes errors of predictions.
package score

// MeanSquare returns the mean of (got_i − want_i)². The slices must have the same positive length.
func MeanSquare(got, want []float64) float64 {
	s := 0.0
	for i, v := range want {
		s += (got[i] - v) * (got[i] - v)
	}
	return s / float64(len(want))
}

// Mean returns the mean of v.
func Mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

// Errors counts the indices where got and want differ.
func Errors(got, want []float64) int {
	n := 0
	for i, v := range want {
		if got[i] != v {
			n++
		}
	}
	return n
}
