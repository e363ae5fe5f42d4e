package dataset

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Set is a table of n rows with d features and a target per row.
type Set struct {
	// X holds the features, n×d.
	X *mat.Dense
	// Y holds the n targets, numbers or labels of classes. It is nil without a target column.
	Y []float64
	// Weights holds the weights of the rows, or nil.
	Weights []float64
}

// Rows returns X with its weights, the rows that a learner is fitted to.
func (s *Set) Rows() mat.Matrix {
	if s == nil || s.X == nil {
		return new(mat.Dense)
	}
	return withWeights(s.X, s.Weights)
}

// Targets returns Y as a matrix of one column that shares its memory. It is empty without targets.
func (s *Set) Targets() *mat.Dense {
	if s == nil {
		return new(mat.Dense)
	}
	return asColumn(s.Y)
}

// Select returns a copy of the given rows of s in the given order. It panics if a row is out of
// range.
func (s *Set) Select(rows []int) *Set {
	if len(rows) == 0 {
		return &Set{X: new(mat.Dense)}
	}
	if s == nil || s.X == nil {
		panic(fmt.Sprintf("dataset: row %d of a set without rows", rows[0]))
	}
	_, d := s.X.Dims()
	c := &Set{X: mat.NewDense(len(rows), d, nil), Y: compute.PickOf(s.Y, rows), Weights: compute.PickOf(s.Weights, rows)}
	for i, r := range rows {
		c.X.SetRow(i, s.X.RawRowView(r))
	}
	return c
}

// Shuffle permutes the rows of s in place, with their targets and weights.
func (s *Set) Shuffle(seed uint64) {
	if s == nil || s.X == nil {
		return
	}
	n, _ := s.X.Dims()
	order := compute.Indices(n)
	rng.New(seed, "dataset shuffle", 0).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	c := s.Select(order)
	s.X.Copy(c.X)
	copy(s.Y, c.Y)
	copy(s.Weights, c.Weights)
}

// SparseSet is a Set of sparse rows.
type SparseSet struct {
	// X holds the features, n×d.
	X *rkhs.Sparse
	// Y holds the n targets, numbers or labels of classes.
	Y []float64
	// Weights holds the weights of the rows, or nil.
	Weights []float64
}

// Rows returns X with its weights, the rows that a learner is fitted to.
func (s *SparseSet) Rows() mat.Matrix {
	if s == nil || s.X == nil {
		return new(mat.Dense)
	}
	return withWeights(s.X, s.Weights)
}

// Targets returns Y as a matrix of one column that shares its memory. It is empty without targets.
func (s *SparseSet) Targets() *mat.Dense {
	if s == nil {
		return new(mat.Dense)
	}
	return asColumn(s.Y)
}

// Select returns a copy of the given rows of s in the given order. It panics if a row is out of
// range.
func (s *SparseSet) Select(rows []int) *SparseSet {
	c := &SparseSet{X: &rkhs.Sparse{Rows: len(rows), Offsets: []int{0}}}
	if s == nil || s.X == nil {
		if len(rows) > 0 {
			panic(fmt.Sprintf("dataset: row %d of a set without rows", rows[0]))
		}
		return c
	}
	x := c.X
	x.Cols = s.X.Cols
	for _, r := range rows {
		from, to := s.X.Offsets[r], s.X.Offsets[r+1]
		x.Columns, x.Values = append(x.Columns, s.X.Columns[from:to]...), append(x.Values, s.X.Values[from:to]...)
		x.Offsets = append(x.Offsets, len(x.Columns))
	}
	c.Y, c.Weights = compute.PickOf(s.Y, rows), compute.PickOf(s.Weights, rows)
	return c
}

func withWeights(x mat.Matrix, weights []float64) mat.Matrix {
	if weights == nil {
		return x
	}
	return rkhs.Weighted{Matrix: x, Weights: weights}
}

func asColumn(values []float64) *mat.Dense {
	if len(values) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(values), 1, values)
}
