package slkl

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// moments is all that the problem needs to know of the rows seen so far: their
// number, the means of columns and targets, and the second moments about the
// means. Keeping moments about the means, and merging by the parallel formula of
// Chan, Golub and LeVeque, loses no digits to a large offset of the targets or
// of the columns, in any order of batches.
type moments struct {
	n     int
	meanC []float64      // of the M columns
	meanY []float64      // of the q targets
	cc    compute.Matrix // M×M, Σ (c−meanC)(c−meanC)ᵀ, upper triangle
	cy    compute.Matrix // M×q, Σ (c−meanC)(y−meanY)ᵀ
	yy    []float64      // q, Σ (y−meanY)²
}

func newMoments(m, q int) *moments {
	return &moments{
		meanC: make([]float64, m),
		meanY: make([]float64, q),
		cc:    compute.NewMatrix(m, m),
		cy:    compute.NewMatrix(m, q),
		yy:    make([]float64, q),
	}
}

// add takes in a batch of rows, c being n×M and y n×q. It overwrites both.
// O(n·M²/2).
func (s *moments) add(c, y compute.Matrix, workers int) {
	if c.Rows == 0 {
		return
	}
	meanC, meanY := centre(c, workers), centre(y, workers)
	compute.AddGram(s.cc, c, workers)
	compute.MulTN(s.cy, c, y, workers)
	for i := range y.Rows {
		for o, v := range row(y, i) {
			s.yy[o] += v * v
		}
	}
	s.shift(c.Rows, meanC, meanY)
}

// merge takes in the rows of t.
func (s *moments) merge(t *moments) {
	if t.n == 0 {
		return
	}
	for i := range s.cc.Rows {
		blas64.Axpy(1, vector(row(t.cc, i)[i:]), vector(row(s.cc, i)[i:]))
		blas64.Axpy(1, vector(row(t.cy, i)), vector(row(s.cy, i)))
	}
	blas64.Axpy(1, vector(t.yy), vector(s.yy))
	s.shift(t.n, t.meanC, t.meanY)
}

// shift accounts for the distance between the means of the rows already here
// and those of n rows whose moments about their own means were just added.
func (s *moments) shift(n int, meanC, meanY []float64) {
	total := float64(s.n + n)
	share := float64(n) / total
	scale := float64(s.n) * share
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
		blas64.Axpy(scale*v, vector(dc[i:]), vector(row(s.cc, i)[i:]))
		blas64.Axpy(scale*v, vector(dy), vector(row(s.cy, i)))
	}
}

// problem returns the moments from which the solvers start: about the means
// when the model has an intercept, about zero when it has none. P is filled on
// both sides of its diagonal.
func (s *moments) problem(intercept bool) *problem {
	m := newMoments(len(s.meanC), len(s.meanY))
	m.merge(s)
	if !intercept {
		m.outer(float64(m.n), m.meanC, m.meanY)
		for o, v := range m.meanY {
			m.yy[o] += float64(m.n) * v * v
		}
	}
	mirror(m.cc)
	return &problem{p: m.cc, cy: m.cy, yy: m.yy}
}

// centre subtracts the mean of each column and returns the means. It measures
// from the first row, so that the mean of a constant column is exact: what is
// left of one by rounding would be taken for something to learn.
func centre(m compute.Matrix, workers int) []float64 {
	const strip = 128
	mean := make([]float64, m.Cols)
	compute.Parallel((m.Cols+strip-1)/strip, workers, func(i int) {
		from, to := i*strip, min(i*strip+strip, m.Cols)
		centreStrip(part(m, 0, m.Rows, from, to), mean[from:to])
	})
	return mean
}

func centreStrip(m compute.Matrix, mean []float64) {
	first := slices.Clone(row(m, 0))
	for i := range m.Rows {
		r := vector(row(m, i))
		blas64.Axpy(-1, vector(first), r)
		blas64.Axpy(1, r, vector(mean))
	}
	blas64.Scal(1/float64(m.Rows), vector(mean))
	for i := range m.Rows {
		blas64.Axpy(-1, vector(mean), vector(row(m, i)))
	}
	blas64.Axpy(1, vector(first), vector(mean))
}

// mirror copies the upper triangle to the lower one.
func mirror(m compute.Matrix) {
	for i := range m.Rows {
		for j := range i {
			m.Data[i*m.Stride+j] = m.Data[j*m.Stride+i]
		}
	}
}

func row(m compute.Matrix, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
