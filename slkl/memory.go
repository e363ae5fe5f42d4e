package slkl

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// need says what is fitted: to how many parts, of rows that are sparse or not, whose sums are wanted
// afterwards or not.
type need struct {
	parts        int
	sparse, kept bool
}

// numbers is how many are held at most for so many columns.
func (n need) numbers(columns int) float64 {
	m := float64(columns)
	switch {
	case n.parts > 2:
		// The parts, for each that scores the problem without it, a factor of that and its inverse, the same
		// for the problem of all, and the triangles of their sum and of the norm.
		return m*m*float64(4*n.parts+4) + m*float64(blockRows(columns, n.sparse))
	case n.kept: // and nothing lies where the parts are
		return m*m*float64(4+n.parts) + m*float64(blockRows(columns, n.sparse))
	}
	return float64(fitNumbers(columns, n.parts, n.sparse))
}

// fitNumbers is how many numbers a fit holds at least, and of one or two parts at most. Of these it is three squares:
// of two parts theirs, in which the triangles of the norm and of the sum of both lie later, and the problem; of one the problem
// where the part was, an inverse, and these triangles. Of more it is all parts with the triangles and the problem.
func fitNumbers(columns, parts int, sparse bool) int {
	triangles := 6
	if parts > 2 {
		triangles = 2*parts + 4
	}
	numbers := triangles * compute.UpperNumbers(columns)
	if rows := blockRows(columns, sparse); rows > columns { // else they lie where inverses do
		numbers += rows * columns
	}
	return numbers
}

// room refuses more columns than memory is allowed for.
func (s *settings) room(columns int, n need) error {
	return door.Memory(pkg, fmt.Sprintf("%d columns", columns), 8*n.numbers(columns), s.MemoryLimit)
}

// fewestPoints is the number of landmarks down to which a limit of the memory leaves fewer.
const fewestPoints = 100

// need is that of a fit of rows. Two parts that both score hold no more than three.
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

// searchNumbers is how many numbers a search for the kernel of sparse rows holds, if there is one and as far as the
// limit goes: what landmarks carry of the rows that it looks at and, if they are more than half as many, the factor of their own
// Gram matrix. By default the blocks of a fit to dense rows are room enough.
func (s *settings) searchNumbers(x compute.Points, landmarks int) int {
	if x.Sparse == nil || len(s.Kernels) > 0 || s.penaltyAlone() {
		return 0
	}
	n := min(x.Rows, searchedRows(landmarks))
	numbers := n * n
	if landmarks < n && 2*landmarks > n {
		numbers += landmarks * landmarks
	}
	return int(min(int64(numbers), s.MemoryLimit/8))
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
