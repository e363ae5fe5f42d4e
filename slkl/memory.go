package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// memory describes the memory of a fit.
type memory struct {
	parts  int  // number of separate moments
	sparse bool // whether rows are sparse
	kept   bool // whether the parts are needed after the fit
}

// memory describes a fit to x. Two folds that are both scored need as much as three parts.
func (s *settings) memory(x compute.Points) memory {
	m := memory{parts: s.parts(x.Rows), sparse: x.Sparse != nil}
	if m.parts == 2 && x.Rows/s.folds() < enoughRows {
		m.parts++
	}
	return m
}

// bytes returns the peak memory for M columns. In units of 8·M² bytes it counts the parts, their
// sum, the matrix of the norm and P, and for each scored fold its sums, a ridge factor and an inverse.
func (m memory) bytes(columns int) float64 {
	squares := 4*m.parts + 4
	switch {
	case m.parts == 1: // without folds: a factor and an inverse of P
		squares = 5
	case m.parts == 2 && m.kept:
		squares = 8
	case m.parts == 2: // the fold uses the memory of the other part
		squares = 7
	}
	return 8 * float64(columns) * (float64(columns)*float64(squares) + float64(blockRows(columns, m.sparse)))
}

// check returns rkhs.ErrMemory if the columns need more bytes than limit.
func (m memory) check(columns int, limit int64) error {
	return input.Memory(pkg, fmt.Sprintf("%d columns", columns), m.bytes(columns), limit)
}

// fewestPoints is the smallest number of landmarks to which MemoryLimit reduces the default.
const fewestPoints = 100

// limitPoints reduces the default number of landmarks until it meets MemoryLimit.
func (s *settings) limitPoints(x compute.Points) {
	if !s.openPoints || s.LowMemory {
		return
	}
	m := s.memory(x)
	for s.MaxPoints > fewestPoints && m.check(min(s.MaxPoints, x.Rows)*max(1, len(s.Kernels)), s.MemoryLimit) != nil {
		s.MaxPoints = max(fewestPoints, s.MaxPoints-(s.MaxPoints+9)/10)
	}
}

// blockRows returns the number of rows in a block of columns. Sparse rows are small, so their blocks
// are no larger than fast products need.
func blockRows(columns int, sparse bool) int {
	const few = 256
	if sparse {
		return few
	}
	return min(max(1<<21/max(columns, 1), few), 8192)
}
