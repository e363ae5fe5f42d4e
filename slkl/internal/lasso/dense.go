package lasso

import "github.com/rkhs-go/rkhs/internal/compute"

// raising calls factor with no shift of the diagonal and then, until it succeeds,
// with growing ones, as fractions of the diagonal: what a matrix needs that is
// positive semidefinite but for rounding. It reports false if none helps.
func raising(factor func(shift float64) bool) bool {
	for shift := 0.0; shift < 1; shift = max(4*shift, 1e-15) {
		if factor(shift) {
			return true
		}
	}
	return false
}

// solveColumn overwrites x with (UᵀU)⁻¹x.
func solveColumn(u compute.Matrix, x []float64, workers int) {
	b := compute.ColumnOf(x)
	compute.SolveUpper(u, b, true, workers)
	compute.SolveUpper(u, b, false, workers)
}

// symmetricInverse returns P⁻¹, or an empty matrix where P is singular to working
// precision. O(M³).
func symmetricInverse(p compute.Matrix, workers int) compute.Matrix {
	u := compute.Clone(p)
	if !compute.Cholesky(u, workers) {
		return compute.Matrix{}
	}
	inv := inverseOf(u, workers)
	compute.Mirror(inv)
	return inv
}

// panel is how many columns of a triangular matrix are worked on at once, so
// that its zeros cost little.
const panel = 128

// inverseOf returns the upper triangle of (UᵀU)⁻¹ = XᵀX, where X = U⁻ᵀ is zero
// above its diagonal. O(M³).
func inverseOf(u compute.Matrix, workers int) compute.Matrix {
	n := u.Rows
	x, inv := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	for from := 0; from < n; from += panel {
		to := min(from+panel, n)
		for i := from; i < to; i++ {
			compute.Row(x, i)[i] = 1
		}
		compute.SolveUpper(block(u, from, n, from, n), block(x, from, n, from, to), true, workers)
	}
	for from := 0; from < n; from += panel {
		to := min(from+panel, n)
		compute.AddGram(block(inv, 0, to, 0, to), block(x, from, to, 0, to), workers)
	}
	return inv
}

// block is rows [i, k) and columns [j, l) of a.
func block(a compute.Matrix, i, k, j, l int) compute.Matrix {
	return compute.Columns(compute.Rows(a, i, k), j, l)
}
