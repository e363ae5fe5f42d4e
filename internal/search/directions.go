package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Subspace iteration finds the leading directions of the mean outer product of gradients
// without forming it (Halko, Martinsson and Tropp, "Finding structure with randomness",
// 2011, algorithm 4.4), with spareDirections extra directions.
const (
	spareDirections = 8
	directionSteps  = 4
)

// gradientField represents the gradients of f_q(v) = Σ_j φ(‖v − u_j‖²)·a_jq at the rows
// u, n×d. With H_ij = φ'(s_ij) the gradients of output q are the rows of 2·B_q·u, where
// B_q = diag(H·a_q) − H·diag(a_q).
type gradientField struct {
	u, a    compute.Matrix
	slope   compute.Matrix // H
	sums    compute.Matrix // H·a
	weights compute.Weights
	workers int
}

func newGradientField(u, a compute.Matrix, weights compute.Weights, f Family, workers int) *gradientField {
	n := u.Rows
	s := &gradientField{u: u, a: a, slope: compute.NewMatrix(n, n), sums: compute.NewMatrix(n, a.Cols), weights: weights, workers: workers}
	compute.KernelSym(s.slope, u, compute.Func{Family: compute.SquaredDistance}, workers)
	compute.Parallel(n, workers, func(i int) {
		row := compute.Row(s.slope, i)
		f.profile(make([]float64, n), row, row)
	})
	compute.MulNN(s.sums, s.slope, a, workers)
	return s
}

// times returns V·G, where G = Σ_q uᵀ·B_qᵀ·diag(w)·B_q·u and V, k×d, has directions as rows. O(n·d·k + n²·k·q).
func (s *gradientField) times(v compute.Matrix) compute.Matrix {
	n, k, q := s.u.Rows, v.Rows, s.a.Cols
	along := compute.NewMatrix(n, k) // n×k: rows projected on the directions
	compute.MulNT(along, s.u, v, s.workers)
	slopes := compute.NewMatrix(n, k*q)
	s.difference(slopes, func(o int, i int) []float64 { return compute.Row(along, i) }, true)
	for i := range n {
		floats.Scale(s.weights.At(i), compute.Row(slopes, i))
	}
	back := compute.NewMatrix(n, k*q)
	s.difference(back, func(o int, i int) []float64 { return compute.Row(slopes, i)[o*k : (o+1)*k] }, false)
	total := compute.NewMatrix(n, k)
	for i := range n {
		for o := range q {
			floats.Add(compute.Row(total, i), compute.Row(back, i)[o*k:(o+1)*k])
		}
	}
	product := compute.NewMatrix(k, v.Cols)
	compute.MulTN(product, total, s.u, s.workers)
	return product
}

// difference sets columns [o·k, (o+1)·k) of dst to B_o·Z_o if inner is true, and to
// B_oᵀ·Z_o = (H·a_o)∘Z_o − a_o∘(H·Z_o) otherwise. row(o, i) is row i of Z_o.
func (s *gradientField) difference(dst compute.Matrix, row func(o, i int) []float64, inner bool) {
	q := s.a.Cols
	k := dst.Cols / q
	scaled := compute.NewMatrix(dst.Rows, dst.Cols)
	for i := range dst.Rows {
		for o := range q {
			to := compute.Row(scaled, i)[o*k : (o+1)*k]
			copy(to, row(o, i))
			if inner {
				floats.Scale(s.a.Data[i*s.a.Stride+o], to)
			}
		}
	}
	compute.MulNN(dst, s.slope, scaled, s.workers)
	for i := range dst.Rows {
		for o := range q {
			by := -1.0
			if !inner {
				by = -s.a.Data[i*s.a.Stride+o]
			}
			to, sum := compute.Row(dst, i)[o*k:(o+1)*k], s.sums.Data[i*s.sums.Stride+o]
			for c, z := range row(o, i) {
				to[c] = float64(sum*z) + float64(by*to[c])
			}
		}
	}
}

// leading returns L, at most rank×d, with LᵀL = √G for the leading part of G. Its rows are
// eigenvectors times the fourth roots of their eigenvalues. It has no rows if G has no
// positive trace.
func (s *gradientField) leading(rank int, seed uint64) compute.Matrix {
	d := s.u.Cols
	v := compute.NewMatrix(min(rank+spareDirections, d), d)
	r := rng.New(seed, "choose directions", 0)
	for i := range v.Data {
		v.Data[i] = r.NormFloat64()
	}
	orthonormalise(v)
	for range directionSteps {
		v = s.times(v)
		if !compute.AllFinite(v) {
			return compute.Matrix{}
		}
		orthonormalise(v)
	}
	g := compute.NewMatrix(v.Rows, v.Rows)
	compute.MulNT(g, s.times(v), v, s.workers)
	return rootIn(g, v, rank)
}

// rootIn returns L as in leading, with at most rank rows. g is the operator in the
// orthonormal directions v, k×d.
func rootIn(g, v compute.Matrix, rank int) compute.Matrix {
	values, vectors := eigen(g)
	if len(values) == 0 || !(values[0] > 0) {
		return compute.Matrix{}
	}
	kept := slices.IndexFunc(values, func(e float64) bool { return !(e > leastShare*values[0]) })
	if kept < 0 {
		kept = len(values)
	}
	e := compute.Rows(vectors, 0, min(kept, rank))
	l := compute.NewMatrix(e.Rows, v.Cols)
	for i := range e.Rows {
		floats.Scale(math.Sqrt(math.Sqrt(values[i]/values[0])), compute.Row(e, i))
	}
	compute.MulNN(l, e, v, 1)
	return l
}

// eigen returns the eigenvalues of a symmetric matrix in descending order and the
// eigenvectors as rows. It reads the upper triangle.
func eigen(g compute.Matrix) (values []float64, vectors compute.Matrix) {
	var e mat.EigenSym
	if !compute.AllFinite(g) || !e.Factorize(mat.NewSymDense(g.Rows, compute.Clone(g).Data), true) {
		return nil, vectors
	}
	var q mat.Dense
	e.VectorsTo(&q)
	values, vectors = e.Values(nil), compute.NewMatrix(g.Rows, g.Rows)
	slices.Reverse(values)
	for i := range g.Rows {
		for j := range g.Rows {
			vectors.Data[i*vectors.Stride+j] = q.At(j, g.Rows-1-i)
		}
	}
	return values, vectors
}

// orthonormalise orthonormalises the rows of v by the Gram-Schmidt process, applied
// twice. Linearly dependent rows become zero.
func orthonormalise(v compute.Matrix) {
	for i := range v.Rows {
		row := compute.Row(v, i)
		before := floats.Norm(row, 2)
		for range 2 {
			for j := range i {
				floats.AddScaled(row, -dot(row, compute.Row(v, j)), compute.Row(v, j))
			}
		}
		if size := math.Sqrt(dot(row, row)); size > 1e-12*before {
			floats.Scale(1/size, row)
		} else {
			clear(row)
		}
	}
}
