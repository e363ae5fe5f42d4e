package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// moments are the means and the second central moments of rows, which determine the problem. Updating
// central moments by the parallel formula of Chan, Golub and LeVeque loses no digits to large means,
// in any order of batches.
type moments struct {
	rows  int
	n     float64        // sum of the weights, or rows
	meanC []float64      // M, of the columns
	meanY []float64      // q, of the targets
	cc    compute.Matrix // M×M, Σ (c−meanC)(c−meanC)ᵀ, upper triangle
	cy    compute.Matrix // M×q, Σ (c−meanC)(y−meanY)ᵀ
	yy    []float64      // q, Σ (y−meanY)²
}

func newMoments(m, q int) *moments {
	return &moments{meanC: make([]float64, m), meanY: make([]float64, q), cc: compute.NewMatrix(m, m),
		cy: compute.NewMatrix(m, q), yy: make([]float64, q)}
}

// row returns row i of cc from the diagonal on.
func (s *moments) row(i int) []float64 { return compute.Row(s.cc, i)[i:] }

// add adds rows with columns c (n×M), targets y (n×q) and weights, or nil. It overwrites c and y.
// O(n·M²/2).
func (s *moments) add(c, y compute.Matrix, weights compute.Weights, workers int) {
	if c.Rows == 0 {
		return
	}
	meanC, meanY := centre(c, weights, workers), centre(y, weights, workers)
	weights.ScaleByRoots(c)
	weights.ScaleByRoots(y)
	s.addProducts(c, y, workers)
	s.rows += c.Rows
	s.shift(weights.Total(c.Rows), meanC, meanY)
}

// addProducts adds CᵀC, CᵀY and ‖Y‖².
func (s *moments) addProducts(c, y compute.Matrix, workers int) {
	compute.AddGram(s.cc, c, workers)
	compute.MulTN(s.cy, c, y, workers)
	for i := range y.Rows {
		for o, v := range compute.Row(y, i) {
			s.yy[o] += v * v
		}
	}
}

// merge adds the rows of t.
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

// shift completes the addition of central moments of rows with total weight n and the given means:
// it updates the means and adds the moments of the difference of the means.
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

// without turns t, the moments of some of the rows of s, into the moments of the remaining rows.
func (s *moments) without(t *moments) {
	n := s.n - t.n
	dc, dy := make([]float64, len(s.meanC)), make([]float64, len(s.meanY))
	for i, v := range s.meanC {
		dc[i] = (t.meanC[i] - v) * s.n / n
		t.meanC[i] = v - float64(t.n/s.n*dc[i])
	}
	for o, v := range s.meanY {
		dy[o] = (t.meanY[o] - v) * s.n / n
		t.meanY[o] = v - float64(t.n/s.n*dy[o])
		t.yy[o] = s.yy[o] - (t.yy[o] + float64(t.n*n/s.n*dy[o]*dy[o]))
	}
	for i := range s.meanC {
		floats.SubTo(t.row(i), s.row(i), t.row(i))
		floats.SubTo(compute.Row(t.cy, i), compute.Row(s.cy, i), compute.Row(t.cy, i))
	}
	t.outer(-t.n*n/s.n, dc, dy)
	t.rows, t.n = s.rows-t.rows, n
}

// clone returns a copy that shares only the means.
func (s *moments) clone() *moments {
	c := *s
	c.cc, c.cy, c.yy = compute.Clone(s.cc), compute.Clone(s.cy), slices.Clone(s.yy)
	return &c
}

// sums returns the sums for the solvers, in the memory of s: moments about the means with an
// intercept, about zero without. s keeps the number of rows and the means, which become zero without
// an intercept.
func (s *moments) sums(intercept bool) *lasso.Sums {
	sums := &lasso.Sums{P: s.cc, CY: s.cy, YY: s.yy}
	if !intercept {
		for i, v := range s.meanC {
			blas64.Axpy(s.n*v, compute.Vector(s.meanC[i:]), compute.Vector(s.row(i)))
			blas64.Axpy(s.n*v, compute.Vector(s.meanY), compute.RowVector(s.cy, i))
		}
		for o, v := range s.meanY {
			s.yy[o] += s.n * v * v
		}
		s.meanC, s.meanY = make([]float64, len(s.meanC)), make([]float64, len(s.meanY))
	}
	compute.Mirror(s.cc)
	s.cc, s.cy, s.yy = compute.Matrix{}, compute.Matrix{}, nil
	return sums
}

// checkTargets returns an error that wraps rkhs.ErrDiverged if the targets are so small that their
// squares leave the floating-point range. Targets of zero are valid.
func (s *moments) checkTargets() error {
	most := 0.0
	for o, v := range s.meanY {
		most = max(most, math.Abs(v), math.Sqrt(s.yy[o]/s.n))
	}
	return search.CheckTargets(pkg, most)
}

// fields lists the fields of a file.
func (s *moments) fields() []any {
	return []any{&s.rows, &s.n, &s.meanC, &s.meanY, &s.cc, &s.cy, &s.yy}
}

func decodeMoments(d *codec.Decoder, m, q int) *moments {
	s := new(moments)
	d.Fields(s.fields()...)
	if d.Err() == nil && (s.rows < 0 || !(s.n >= 0 && s.n <= math.MaxFloat64) || (s.n > 0) != (s.rows > 0) ||
		len(s.meanC) != m || len(s.meanY) != q || s.cc.Rows != m || s.cc.Cols != m ||
		s.cy.Rows != m || s.cy.Cols != q || len(s.yy) != q) {
		d.Fail("moments do not fit %d columns and %d outputs", m, q)
	}
	return s
}

// centre subtracts the weighted mean of each column and returns the means. It measures from the first
// row, so that a constant column becomes exactly zero.
func centre(m compute.Matrix, weights compute.Weights, workers int) []float64 {
	const strip = 128
	mean := make([]float64, m.Cols)
	compute.Parallel((m.Cols+strip-1)/strip, workers, func(i int) {
		from, to := i*strip, min(i*strip+strip, m.Cols)
		centreStrip(compute.Columns(m, from, to), weights, mean[from:to])
	})
	return mean
}

func centreStrip(m compute.Matrix, weights compute.Weights, mean []float64) {
	first := slices.Clone(compute.Row(m, 0))
	for i := range m.Rows {
		r := compute.RowVector(m, i)
		blas64.Axpy(-1, compute.Vector(first), r)
		blas64.Axpy(weights.At(i), r, compute.Vector(mean))
	}
	blas64.Scal(1/weights.Total(m.Rows), compute.Vector(mean))
	for i := range m.Rows {
		blas64.Axpy(-1, compute.Vector(mean), compute.RowVector(m, i))
	}
	blas64.Axpy(1, compute.Vector(first), compute.Vector(mean))
}
