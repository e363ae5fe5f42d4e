package revisit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// joint goes to the minimum of the quadratic of a visit along all blocks at once. Where
// there are no more rows than columns in a block each block can fit the targets alone, and
// Gauss–Seidel at a small ridge hardly leaves what the first ones did. Over the rows
//
//	A_b = Z_bᵀα,   (H·(Σ_b Z_bZ_bᵀ)·H + lam·I)·α = H·(R + f),   H = I − 11ᵀ/n,
//
// takes O(n²·D + n³/3) once, and O(n² + n·D) a step. Rows of weights w = s² are multiplied by
// s on either side, A_b = Z_bᵀSα, and s takes the place of 1.
type joint struct {
	x       compute.Points // rows in their order
	gram    compute.Matrix // Σ_b Z_bZ_bᵀ of the first blocks, upper triangle
	blocks  int
	factor  compute.Matrix // of the rows trained on, for lam
	lam     float64
	workers int
}

func newJoint(x compute.Points, order []int, workers int) *joint {
	n := len(order)
	return &joint{x: x.Pick(order), gram: compute.NewMatrix(n, n), workers: workers}
}

// take adds blocks to the Gram matrix up to the count of the function.
func (j *joint) take(f *blocks.Function, stopped func() bool) {
	if j.blocks == f.Count() {
		return
	}
	z := compute.NewMatrix(j.x.Rows, f.Map.Columns())
	for ; j.blocks < f.Count() && !stopped(); j.blocks++ {
		features.TransformPoints(f.Block(j.blocks), z, j.x)
		compute.AddGram(j.gram, compute.Transpose(z), j.workers)
		j.lam = 0
	}
}

// factorise makes the factor for the first rows, with the roots of their weights, or nil.
// Rounding may ask for a larger ridge, as in blocks.Normal.
func (j *joint) factorise(train int, roots compute.Weights, lam float64) {
	if j.lam == lam && j.factor.Rows == train {
		return
	}
	j.lam = lam
	for shift := lam; ; shift = 4*shift + 1e-15*compute.Trace(j.gram) {
		j.factor = compute.Clone(compute.Matrix{Rows: train, Cols: train, Stride: j.gram.Stride, Data: j.gram.Data})
		compute.Mirror(j.factor)
		if roots == nil {
			linalg.CentreGram(j.factor, j.workers)
		} else {
			scaleBoth(j.factor, roots)
			projectBoth(j.factor, roots)
		}
		for i := range train {
			j.factor.Data[i*j.factor.Stride+i] += shift
		}
		if compute.Cholesky(j.factor, j.workers) || !compute.Finite(shift) {
			return
		}
	}
}

// step takes the step at all blocks. If the solver is stopped meanwhile it is unfinished, and
// what it has changed is a model.
func (j *joint) step(s *Solver) {
	j.take(s.Function, s.stopped)
	if s.stopped() {
		return
	}
	trained, roots := s.trained(), s.roots()
	j.factorise(s.train, roots, s.lam())
	s.residual()
	goal := compute.Clone(compute.Rows(s.r, 0, s.train))
	blas64.Axpy(1, compute.Vector(compute.Rows(s.scores, 0, s.train).Data), compute.Vector(goal.Data))
	weights := compute.Clone(goal)
	trained.Centre(weights)
	roots.Scale(weights)
	compute.SolveUpper(j.factor, weights, true, j.workers)
	compute.SolveUpper(j.factor, weights, false, j.workers)
	for i, r := range roots { // the weights enter the correlations
		floats.Scale(1/r, compute.Row(weights, i))
	}
	trained.Centre(weights)
	still := make([]float64, goal.Cols)
	for b := 0; b < s.Function.Count() && !s.stopped(); b++ {
		s.design.Use(b, s.Function.Block(b))
		step := s.correlations(weights)
		blas64.Axpy(-s.Function.Scale, compute.Vector(s.Function.Blocks[b].Data), compute.Vector(step.Data))
		if !s.stopped() {
			s.take(b, step, still)
		}
	}
	floats.Sub(goal.Data, compute.Rows(s.scores, 0, s.train).Data)
	s.shift(trained.Centre(goal))
}

// roots returns the roots of the weights of the rows trained on, or nil.
func (s *Solver) roots() compute.Weights {
	var roots compute.Weights
	for _, w := range s.trained().Weights {
		roots = append(roots, math.Sqrt(w))
	}
	return roots
}

// scaleBoth multiplies the rows and the columns of m.
func scaleBoth(m compute.Matrix, by []float64) {
	for i, s := range by {
		row := compute.Row(m, i)
		floats.Mul(row, by)
		floats.Scale(s, row)
	}
}

// projectBoth sets the symmetric m to H·m·H for H = I − ssᵀ/‖s‖².
func projectBoth(m compute.Matrix, s []float64) {
	size, t := floats.Dot(s, s), make([]float64, len(s))
	for i := range t {
		t[i] = floats.Dot(compute.Row(m, i), s) / size
	}
	both := floats.Dot(s, t) / size
	for i := range t {
		row := compute.Row(m, i)
		floats.AddScaled(row, -s[i], t)
		floats.AddScaled(row, float64(both*s[i])-t[i], s)
	}
}
