package slkl

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// moments is all that the problem needs to know of the rows seen so far: their
// number, the means of columns and targets, and the second moments about the
// means. Keeping moments about the means, and merging by the parallel formula of
// Chan, Golub and LeVeque, loses no digits to a large offset of the targets or
// of the columns, in any order of batches.
type moments struct {
	rows  int
	n     float64        // the sum of their weights, or their number
	meanC []float64      // of the M columns
	meanY []float64      // of the q targets
	cc    compute.Matrix // M×M, Σ (c−meanC)(c−meanC)ᵀ, upper triangle
	cy    compute.Matrix // M×q, Σ (c−meanC)(y−meanY)ᵀ
	yy    []float64      // q, Σ (y−meanY)²
}

func newMoments(m, q int) *moments {
	return &moments{meanC: make([]float64, m), meanY: make([]float64, q), cc: compute.NewMatrix(m, m), cy: compute.NewMatrix(m, q), yy: make([]float64, q)}
}

// row returns row i of cc from the diagonal on.
func (s *moments) row(i int) []float64 { return compute.Row(s.cc, i)[i:] }

// add takes in a batch of rows with their weights, or nil, c being n×M and y n×q. It
// overwrites both. O(n·M²/2).
func (s *moments) add(c, y compute.Matrix, weights compute.Weights, workers int) {
	if c.Rows == 0 {
		return
	}
	meanC, meanY := centre(c, weights, workers), centre(y, weights, workers)
	weights.ScaleByRoots(c)
	weights.ScaleByRoots(y)
	compute.AddGram(s.cc, c, workers)
	compute.MulTN(s.cy, c, y, workers)
	for i := range y.Rows {
		for o, v := range compute.Row(y, i) {
			s.yy[o] += v * v
		}
	}
	s.rows += c.Rows
	s.shift(weights.Total(c.Rows), meanC, meanY)
}

// merge takes in the rows of t.
func (s *moments) merge(t *moments) {
	if t.rows == 0 {
		return
	}
	s.rows += t.rows
	for i := range s.meanC {
		blas64.Axpy(1, compute.Vector(t.row(i)), compute.Vector(s.row(i)))
		blas64.Axpy(1, compute.RowVector(t.cy, i), compute.RowVector(s.cy, i))
	}
	blas64.Axpy(1, compute.Vector(t.yy), compute.Vector(s.yy))
	s.shift(t.n, t.meanC, t.meanY)
}

// shift accounts for the distance between the means of the rows already here
// and those of rows of a total weight n whose moments about their own means were just
// added.
func (s *moments) shift(n float64, meanC, meanY []float64) {
	share := n / (s.n + n)
	scale := s.n * share
	dc, dy := make([]float64, len(meanC)), make([]float64, len(meanY))
	for i, v := range meanC {
		dc[i] = v - s.meanC[i]
		s.meanC[i] += share * dc[i]
	}
	for o, v := range meanY {
		dy[o] = v - s.meanY[o]
		s.meanY[o] += share * dy[o]
		s.yy[o] += scale * dy[o] * dy[o]
	}
	s.n += n
	if scale > 0 {
		s.outer(scale, dc, dy)
	}
}

// outer adds scale·dc·dcᵀ and scale·dc·dyᵀ.
func (s *moments) outer(scale float64, dc, dy []float64) {
	for i, v := range dc {
		blas64.Axpy(scale*v, compute.Vector(dc[i:]), compute.Vector(s.row(i)))
		blas64.Axpy(scale*v, compute.Vector(dy), compute.RowVector(s.cy, i))
	}
}

// sums returns the sums that the solvers start from: the moments about the means if the model has an
// intercept, about zero if it has none.
func (s *moments) sums(intercept bool) *lasso.Sums {
	c := *s
	c.cc, c.cy, c.yy = compute.Clone(s.cc), compute.Clone(s.cy), slices.Clone(s.yy)
	return c.intoSums(intercept)
}

// intoSums is sums in the memory of s, which keeps only the number of rows and the means.
func (s *moments) intoSums(intercept bool) *lasso.Sums {
	sums := &lasso.Sums{P: s.cc, CY: s.cy, YY: s.yy}
	if !intercept {
		s.aboutZero(sums)
	}
	compute.Mirror(s.cc)
	s.cc, s.cy, s.yy = compute.Matrix{}, compute.Matrix{}, nil
	return sums
}

// aboutZero adds what the means of s tell sums apart from those about zero, P in its upper triangle.
func (s *moments) aboutZero(sums *lasso.Sums) {
	for i, v := range s.meanC {
		blas64.Axpy(s.n*v, compute.Vector(s.meanC[i:]), compute.Vector(compute.Row(sums.P, i)[i:]))
		blas64.Axpy(s.n*v, compute.Vector(s.meanY), compute.RowVector(sums.CY, i))
	}
	for o, v := range s.meanY {
		sums.YY[o] += s.n * v * v
	}
}
