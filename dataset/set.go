package dataset

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Set is a table of n rows with d features, and a target for each row.
type Set struct {
	// X holds the features, n×d.
	X *mat.Dense
	// Y holds the n targets, numbers or labels of classes; nil if the file was
	// read without a target.
	Y []float64
	// Weights holds the weights of the rows; nil if the file was read without any.
	Weights []float64
}

func newSet(rows int, x, y []float64) *Set {
	return &Set{X: mat.NewDense(rows, len(x)/rows, x), Y: y}
}

// Rows returns the features with their weights, or X where there are none: what learners
// are fitted to.
func (s *Set) Rows() mat.Matrix {
	if s == nil || s.X == nil {
		return new(mat.Dense)
	}
	if s.Weights == nil {
		return s.X
	}
	return rkhs.Weighted{Matrix: s.X, Weights: s.Weights}
}

// Targets returns the targets as a matrix of one column, which shares the memory
// of s.Y: what learners are fitted to and scores measured against. It is empty if
// there are none.
func (s *Set) Targets() *mat.Dense {
	if s == nil || len(s.Y) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(s.Y), 1, s.Y)
}

// Select returns a copy of the given rows of s, in the order given; of no rows
// an empty set. It panics if a row is out of range, as every row of a nil set is.
func (s *Set) Select(rows []int) *Set {
	if len(rows) == 0 {
		return &Set{X: new(mat.Dense)}
	}
	if s == nil || s.X == nil {
		panic(fmt.Sprintf("dataset: row %d of a set without rows", rows[0]))
	}
	_, d := s.X.Dims()
	c := &Set{X: mat.NewDense(len(rows), d, nil)}
	for i, r := range rows {
		c.X.SetRow(i, s.X.RawRowView(r))
		if s.Y != nil {
			c.Y = append(c.Y, s.Y[r])
		}
		if s.Weights != nil {
			c.Weights = append(c.Weights, s.Weights[r])
		}
	}
	return c
}

// Shuffle puts the rows of s, each with its target and weight, into random order.
func (s *Set) Shuffle(seed uint64) {
	if s == nil || s.X == nil {
		return
	}
	n, _ := s.X.Dims()
	rng.New(seed, "dataset shuffle", 0).Shuffle(n, s.swap)
}

func (s *Set) swap(i, j int) {
	a, b := s.X.RawRowView(i), s.X.RawRowView(j)
	for k := range a {
		a[k], b[k] = b[k], a[k]
	}
	if s.Y != nil {
		s.Y[i], s.Y[j] = s.Y[j], s.Y[i]
	}
	if s.Weights != nil {
		s.Weights[i], s.Weights[j] = s.Weights[j], s.Weights[i]
	}
}
