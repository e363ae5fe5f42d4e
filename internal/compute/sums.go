package compute

import "iter"

// Chunks yields consecutive ranges [from, to) of at most size elements that cover [0, n).
func Chunks(n, size int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < n; from += size {
			if !yield(from, min(from+size, n)) {
				return
			}
		}
	}
}

// Mean returns the mean of v. It updates a running mean, because a sum could overflow.
func Mean(v []float64) float64 {
	m := 0.0
	for i, x := range v {
		m += (x - m) / float64(i+1)
	}
	return m
}

// ColumnDots returns the inner products Σ_i a_ij·b_ij of corresponding columns of a and b.
func ColumnDots(a, b Matrix) []float64 {
	sums := make([]float64, a.Cols)
	for i := range a.Rows {
		x, y := Row(a, i), Row(b, i)
		for o := range sums {
			sums[o] += float64(x[o] * y[o])
		}
	}
	return sums
}

// Indices returns the integers 0 … n−1.
func Indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
