package lasso

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sums is all that the problem asks of the rows.
type Sums struct {
	P  compute.Matrix // M×M, CᵀC on both sides of its diagonal
	CY compute.Matrix // M×q, CᵀY
	YY []float64      // q, squared norms of the columns of Y

	ridge float64 // that AddNorm has added to each element of the diagonal of P
}

// maxSum bounds the sums over the rows, so that the solvers can square and
// divide them.
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

// jitter is the fraction of the mean of the diagonal of P that AddNorm adds to each
// element of it: enough for a Cholesky factor that keeps some digits, where P alone has
// eigenvalues below rounding.
const jitter = 1e-9

// AddNorm adds noise·wᵀ·gram·w to the objective of each output, where gram is a positive
// semidefinite matrix: what as many further rows would with a root
// of noise·gram for their columns, and targets of zero. It remains the problem of P, CᵀY and
// ‖Y‖², with the same certificate.
func (s *Sums) AddNorm(gram compute.Matrix, noise float64) {
	s.ridge += addNorm(s.P, gram, noise)
	compute.Mirror(s.P)
}

// addNorm returns what it adds to the diagonal beside the norm.
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

// Problems returns the problem of each output, or the one of all outputs that
// share their mu. They share P, and its inverse when one of them wants it.
func (s *Sums) Problems(shared bool, method Method, workers int) []*Problem {
	inv := &inverse{workers: workers}
	if shared {
		yy := 0.0
		for _, v := range s.YY {
			yy += v
		}
		return []*Problem{s.problem(0, len(s.YY), yy, inv, method)}
	}
	var list []*Problem
	for o, yy := range s.YY {
		list = append(list, s.problem(o, 1, yy, inv, method))
	}
	return list
}

// problem returns the problem of n outputs from the given one on.
func (s *Sums) problem(output, n int, yy float64, inv *inverse, method Method) *Problem {
	m := s.P.Rows
	return &Problem{Output: output, Mu: make([]float64, m), W: compute.NewMatrix(m, n), Workers: 1,
		method: method, sums: s, p: s.P, cy: compute.Clone(compute.Columns(s.CY, output, output+n)), yy: yy, inverse: inv, space: new([]float64)}
}
