package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// need describes a fit for its estimate of memory.
type need struct {
	parts        int  // sums of rows that are kept apart
	sparse, kept bool // whether rows are sparse, and whether the parts are needed after the fit
}

// numbers returns the largest number of float64 values that a fit of M columns holds at a time. In units of M²:
// the parts, their sum, the matrix of the norm and P; for each fold that is scored its sums, a ridge
// factor and an inverse.
func (n need) numbers(columns int) float64 {
	m, squares := float64(columns), 4*n.parts+4
	switch {
	case n.parts == 1: // no folds: a factor and an inverse of P
		squares = 5
	case n.parts == 2 && n.kept:
		squares = 8
	case n.parts == 2: // the fold uses one of the parts
		squares = 7
	}
	return m*m*float64(squares) + m*float64(blockRows(columns, n.sparse))
}

// room refuses more columns than memory is allowed for.
func (s *settings) room(columns int, n need) error {
	return door.Memory(pkg, fmt.Sprintf("%d columns", columns), 8*n.numbers(columns), s.MemoryLimit)
}

// fewestPoints is the number of landmarks down to which a limit of the memory leaves fewer.
const fewestPoints = 100

// need describes a fit of rows. Two folds that are both scored count as three parts.
func (s *settings) need(x compute.Points) need {
	n := need{parts: s.parts(x.Rows), sparse: x.Sparse != nil}
	if n.parts == 2 && x.Rows/s.folds() < enoughRows {
		n.parts++
	}
	return n
}

// leaveRoom draws no more landmarks from rows than there is room for, where options leave their
// number open.
func (s *settings) leaveRoom(x compute.Points) {
	if !s.openPoints || s.LowMemory {
		return
	}
	for s.MaxPoints > fewestPoints && s.room(min(s.MaxPoints, x.Rows)*max(1, len(s.Kernels)), s.need(x)) != nil {
		s.MaxPoints = max(fewestPoints, s.MaxPoints-(s.MaxPoints+9)/10)
	}
}

// blockRows is the number of rows whose columns are held at once: of sparse rows, which themselves
// take little, no more than products need to be fast.
func blockRows(columns int, sparse bool) int {
	const few = 256
	if sparse {
		return few
	}
	return min(max(1<<21/max(columns, 1), few), 8192)
}
