package linalg

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Refactor computes G = D^½·U⁻¹·U⁻ᵀ·D^½ again from weights and inner products, by the Cholesky factor
// UᵀU = I + D^½·P_AA·D^½/lam with eigenvalues of at least 1. If P_AA is not finite or not numerically
// positive semidefinite, it returns false and does not change G. O(m0³) on at most workers goroutines.
func (w *Woodbury) Refactor(workers int) bool {
	m := len(w.active)
	if m == 0 {
		w.updates = 0
		return true
	}
	root := w.roots()
	space := resize(&w.square, 2*m*m)
	u, x := allocate(&space, m, m), allocate(&space, m, m)
	for i := range m {
		for j, p := range w.p.row(i) {
			u.Data[j*m+i] = root[i] * p * root[j] / w.lam
		}
		u.Data[i*m+i]++
	}
	if !compute.Cholesky(u, workers) {
		return false
	}
	setIdentity(x)
	compute.SolveUpper(u, x, true, workers)
	clear(u.Data)
	compute.AddGram(u, x, workers)
	for i := range m {
		row := w.g.row(i)
		for j := range row {
			row[j] = root[i] * u.Data[j*m+i] * root[j]
		}
	}
	w.updates = 0
	return true
}

// Drift returns the relative residual ‖B·H·v − v‖/‖v‖ of G, where B = I + D^½·P_AA·D^½/lam,
// H = D^-½·G·D^-½ equals B⁻¹ for exact G, and v is a fixed unstructured vector. It is independent of
// the scale of C. The eigenvalues of B are at least 1, so the error of H·v is at most Drift·‖v‖. After
// Refactor, Drift is the unavoidable rounding error. It is NaN if G is not finite. O(m0²).
func (w *Woodbury) Drift() float64 {
	m := len(w.active)
	if m == 0 {
		return 0
	}
	root := w.roots()
	x, y := resize(&w.column, m), resize(&w.image, m)
	for i, r := range root {
		x[i] = spread(i) / r
	}
	w.g.mulVec(y, x)
	w.p.mulVec(x, y)
	var residual, norm float64
	for i, r := range root {
		v := spread(i)
		e := y[i]/r + r*x[i]/w.lam - v
		residual += e * e
		norm += v * v
	}
	return math.Sqrt(residual / norm)
}

// roots returns the square roots of the weights.
func (w *Woodbury) roots() []float64 {
	root := resize(&w.root, len(w.mu))
	for i, mu := range w.mu {
		root[i] = math.Sqrt(mu)
	}
	return root
}

// spread returns number i of a fixed unstructured sequence in [−1/2, 1/2): fractional parts of multiples
// of the golden ratio. A vector of ones would not detect errors in the difference of duplicate columns.
func spread(i int) float64 {
	_, f := math.Modf(float64(i+1) * math.Phi)
	return f - 0.5
}
