package lasso

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Sums are the sums over the rows that define the problem.
type Sums struct {
	P  compute.Matrix // M×M, CᵀC, both triangles
	CY compute.Matrix // M×q, CᵀY
	YY []float64      // q, squared norms of the columns of Y

	ridge   float64 // added by AddNorm to the diagonal of P
	inverse *inverse
}

// maxSum bounds the sums over the rows, so that the solvers can square and divide them.
const maxSum = 1e150

// Check returns rkhs.ErrDiverged if a sum is beyond maxSum.
func (s *Sums) Check() error { return CheckSums(s.P.Data, s.CY.Data, s.YY) }

// CheckSums is Check for lists of sums.
func CheckSums(lists ...[]float64) error {
	for _, list := range lists {
		for _, v := range list {
			if !(math.Abs(v) <= maxSum) {
				return fmt.Errorf("slkl: a sum over the rows is %v; features or targets are too large: %w", v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// jitter is the ridge that AddNorm adds, as a fraction of the mean diagonal of P. It keeps a
// Cholesky factor accurate where P has eigenvalues below rounding.
const jitter = 1e-9

// AddNorm adds noise·wᵀ·gram·w to the objective of each output, for a positive semidefinite gram.
// This equals further rows with columns (noise·gram)^½ and targets of zero, so the problem and
// its certificate keep their form.
func (s *Sums) AddNorm(gram compute.Matrix, noise float64) {
	s.ridge += addNorm(s.P, gram, noise)
	compute.Mirror(s.P)
}

// addNorm adds the norm to the upper triangle of p and returns the ridge that it adds as well.
func addNorm(p, gram compute.Matrix, noise float64) (ridge float64) {
	for i := range p.Rows {
		row := compute.Row(p, i)
		blas64.Axpy(noise, compute.Vector(compute.Row(gram, i)[i:]), compute.Vector(row[i:]))
		ridge += jitter / float64(p.Rows) * row[i]
	}
	for i := range p.Rows {
		compute.Row(p, i)[i] += ridge
	}
	return ridge
}

// Problems returns the problem of each output, or the one of all outputs that share their mu. The
// problems share P and its inverse.
func (s *Sums) Problems(shared bool, method Method, workers int) []*Problem {
	s.inverse = &inverse{workers: workers}
	if shared {
		return []*Problem{s.problem(0, len(s.YY), method)}
	}
	var list []*Problem
	for o := range s.YY {
		list = append(list, s.problem(o, 1, method))
	}
	return list
}

// problem returns the problem of n outputs, starting at output.
func (s *Sums) problem(output, n int, method Method) *Problem {
	m := s.P.Rows
	p := &Problem{Output: output, Mu: make([]float64, m), W: compute.NewMatrix(m, n), Workers: 1,
		method: method, sums: s, p: s.P, cy: compute.Clone(compute.Columns(s.CY, output, output+n))}
	for _, v := range s.YY[output : output+n] {
		p.yy += v
	}
	return p
}

// inverse is P⁻¹, computed on first use.
type inverse struct {
	once    sync.Once
	matrix  compute.Matrix
	workers int
}

// get returns the inverse of p. It is empty if p is singular to working precision or r stopped the
// computation. O(M³).
func (v *inverse) get(p compute.Matrix, r *monitor.Monitor) compute.Matrix {
	v.once.Do(func() {
		u := compute.Clone(p)
		if !compute.Cholesky(u, v.workers) {
			return
		}
		compute.InvertFactored(u, r.Stopped, v.workers)
		if !r.Stopped() {
			compute.Mirror(u)
			v.matrix = u
		}
	})
	return v.matrix
}
