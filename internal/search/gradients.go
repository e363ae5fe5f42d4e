package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// outerProducts returns the mean outer product of the gradients of a function at its own
// rows u, n×r,
//
//	(1/n)·Σ_i Σ_q ∇f_q(u_i)·∇f_q(u_i)ᵀ,   f_q(v) = Σ_j φ(‖v − u_j‖²)·a_jq.
//
// With H_ij = φ'(s_ij) and W = H·diag(a_q) the gradients are the rows of
// 2·((W·1)∘u − W·u). weights make it a weighted mean. The columns of u are divided by the
// bandwidth. O(n²·r·q).
func outerProducts(u, a compute.Matrix, weights compute.Weights, f Family, workers int) compute.Matrix {
	n, r := u.Rows, u.Cols
	s := compute.NewMatrix(n, n)
	compute.KernelSym(s, u, compute.Func{Family: compute.SquaredDistance}, workers)
	g := compute.NewMatrix(r, r)
	addOuterProducts(g, s, u, u, a, weights, f, float64(n), workers)
	compute.Mirror(g)
	return g
}

// AddOuterProducts adds the sum of the outer products of gradients at rows u, n×r, to the
// upper triangle of g, r×r. The function is Σ_j φ(‖· − v_j‖²)·a_jq with points v, m×r.
// O(n·m·r·q).
func AddOuterProducts(g, u, v, a compute.Matrix, weights compute.Weights, f Family, workers int) {
	s := compute.NewMatrix(u.Rows, v.Rows)
	compute.Kernel(s, u, v, compute.Func{Family: compute.SquaredDistance}, workers)
	addOuterProducts(g, s, u, v, a, weights, f, 1, workers)
}

// addOuterProducts adds the outer products divided by by, given squared distances s, which it overwrites.
func addOuterProducts(g, s, u, v, a compute.Matrix, weights compute.Weights, f Family, by float64, workers int) {
	n, r := u.Rows, u.Cols
	slope := compute.NewMatrix(n, v.Rows)
	compute.Parallel(n, workers, func(i int) {
		f.profile(compute.Row(s, i), compute.Row(slope, i), compute.Row(s, i))
	})
	weighted, gradient := compute.NewMatrix(v.Rows, r+1), compute.NewMatrix(n, r+1)
	for q := range a.Cols {
		for j := range v.Rows {
			row, w := compute.Row(weighted, j), a.Data[j*a.Stride+q]
			floats.ScaleTo(row[:r], w, compute.Row(v, j))
			row[r] = w
		}
		compute.Zero(gradient)
		compute.MulNN(gradient, slope, weighted, workers)
		for i := range n {
			row, size := compute.Row(gradient, i), math.Sqrt(weights.At(i))
			for c, x := range compute.Row(u, i) {
				row[c] = 2 * size * (float64(row[r]*x) - row[c]) / math.Sqrt(by)
			}
		}
		compute.AddGram(g, compute.Columns(gradient, 0, r), workers)
	}
}

// leastShare is the share of the mean eigenvalue that FourthRoot adds to all eigenvalues,
// so that every direction can recover.
const leastShare = 1e-6

// FourthRoot returns L with LᵀL = √G, where G is g scaled to mean eigenvalue 1. L has no
// rows if the trace of g is not positive and finite. It reads the upper triangle.
func FourthRoot(g compute.Matrix) compute.Matrix {
	r, trace := g.Rows, 0.0
	for i := range r {
		trace += g.Data[i*g.Stride+i]
	}
	if !(trace > 0) || !compute.Finite(trace) {
		return compute.Matrix{}
	}
	sym := mat.NewSymDense(r, nil)
	for i := range r {
		for j := i; j < r; j++ {
			sym.SetSym(i, j, g.Data[i*g.Stride+j]*float64(r)/trace)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(sym, true) {
		return compute.Matrix{}
	}
	var q mat.Dense
	e.VectorsTo(&q)
	l := compute.NewMatrix(r, r)
	for i, v := range e.Values(nil) {
		root := math.Sqrt(math.Sqrt(max(v, 0) + leastShare))
		for j := range r {
			l.Data[i*l.Stride+j] = root * q.At(j, i)
		}
	}
	return l
}
