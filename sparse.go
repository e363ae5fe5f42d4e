package rkhs

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Sparse is a matrix in compressed sparse row format. Row i has Values[k] in column Columns[k]
// for k from Offsets[i] to Offsets[i+1]−1. Other elements are zero. Use it for data with many
// columns and few nonzero elements per row, such as word counts. It uses 12 bytes per listed
// element, and learners never convert the whole matrix to a dense one.
//
// Columns must ascend within a row. Listed values may be zero. Learners also accept any
// mat.RowNonZeroDoer from another package as sparse, and copy it.
type Sparse struct {
	Rows, Cols int
	Offsets    []int     // Rows + 1 ascending indices of Columns and Values
	Columns    []int32   // 0 … Cols−1
	Values     []float64 // same length as Columns
}

// Check returns an error that wraps ErrShape and names the first invalid row if s does not
// satisfy the format described for Sparse. It does not check that values are finite. O(listed
// elements).
func (s *Sparse) Check() error {
	if s == nil {
		return fmt.Errorf("a nil Sparse: %w", ErrShape)
	}
	if s.Rows < 0 || s.Cols < 0 || len(s.Offsets) != s.Rows+1 || len(s.Columns) != len(s.Values) {
		return fmt.Errorf("a %d×%d Sparse with %d Offsets, %d Columns and %d Values: %w",
			s.Rows, s.Cols, len(s.Offsets), len(s.Columns), len(s.Values), ErrShape)
	}
	if s.Offsets[0] < 0 || s.Offsets[s.Rows] > len(s.Values) {
		return fmt.Errorf("offsets from %d to %d of a Sparse with %d Values: %w", s.Offsets[0], s.Offsets[s.Rows], len(s.Values), ErrShape)
	}
	for i, from := range s.Offsets[:s.Rows] {
		if s.Offsets[i+1] < from {
			return fmt.Errorf("offsets of a Sparse fall from %d to %d at row %d: %w", from, s.Offsets[i+1], i, ErrShape)
		}
	}
	for i := range s.Rows {
		last := int32(-1)
		for _, j := range s.Columns[s.Offsets[i]:s.Offsets[i+1]] {
			if j <= last || int(j) >= s.Cols {
				return fmt.Errorf("column %d after %d in row %d of a Sparse of %d columns, want ascending ones: %w", j, last, i, s.Cols, ErrShape)
			}
			last = j
		}
	}
	return nil
}

// Dims implements mat.Matrix.
func (s *Sparse) Dims() (rows, cols int) { return s.Rows, s.Cols }

// At implements mat.Matrix with a binary search in the row.
func (s *Sparse) At(i, j int) float64 {
	if i < 0 || i >= s.Rows {
		panic(mat.ErrRowAccess)
	}
	if j < 0 || j >= s.Cols {
		panic(mat.ErrColAccess)
	}
	from, to := s.Offsets[i], s.Offsets[i+1]
	if k, ok := slices.BinarySearch(s.Columns[from:to], int32(j)); ok {
		return s.Values[from+k]
	}
	return 0
}

// T implements mat.Matrix.
func (s *Sparse) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// DoRowNonZero implements mat.RowNonZeroDoer. It calls do for the nonzero elements of row i in
// column order.
func (s *Sparse) DoRowNonZero(i int, do func(i, j int, v float64)) {
	if i < 0 || i >= s.Rows {
		panic(mat.ErrRowAccess)
	}
	for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
		if s.Values[k] != 0 {
			do(i, int(s.Columns[k]), s.Values[k])
		}
	}
}

// DoNonZero implements mat.NonZeroDoer. It calls do for the nonzero elements in row order.
func (s *Sparse) DoNonZero(do func(i, j int, v float64)) {
	for i := range s.Rows {
		s.DoRowNonZero(i, do)
	}
}
