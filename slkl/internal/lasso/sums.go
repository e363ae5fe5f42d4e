package lasso

import (
	"fmt"
	"math"
	"sync"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sums is all that the problem asks of the rows.
type Sums struct {
	P  compute.Matrix // M×M, CᵀC on both sides of its diagonal
	CY compute.Matrix // M×q, CᵀY
	YY []float64      // q, squared norms of the columns of Y
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

// Problems returns the problem of each output, or the one of all outputs that
// share their mu. They share P, and its inverse when one of them wants it.
func (s *Sums) Problems(shared bool, method Method, workers int) []*Problem {
	inverse := sync.OnceValue(func() compute.Matrix { return symmetricInverse(s.P, workers) })
	if shared {
		yy := 0.0
		for _, v := range s.YY {
			yy += v
		}
		return []*Problem{s.problem(0, len(s.YY), yy, inverse, method)}
	}
	var list []*Problem
	for o, yy := range s.YY {
		list = append(list, s.problem(o, 1, yy, inverse, method))
	}
	return list
}

// problem returns the problem of n outputs from the given one on.
func (s *Sums) problem(output, n int, yy float64, inverse func() compute.Matrix, method Method) *Problem {
	m := s.P.Rows
	return &Problem{Output: output, Mu: make([]float64, m), W: compute.NewMatrix(m, n), Workers: 1,
		method: method, p: s.P, cy: compute.Clone(compute.Columns(s.CY, output, output+n)), yy: yy, inverse: inverse}
}
