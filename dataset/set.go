package dataset

import (
	"fmt"
	"math"

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
}

func newSet(rows int, x, y []float64) *Set {
	return &Set{X: mat.NewDense(rows, len(x)/rows, x), Y: y}
}

// Select returns a copy of the given rows of s, in the order given. It panics
// if there are none, or one is out of range.
func (s *Set) Select(rows []int) *Set {
	_, d := s.X.Dims()
	c := &Set{X: mat.NewDense(len(rows), d, nil)}
	for i, r := range rows {
		c.X.SetRow(i, s.X.RawRowView(r))
		if s.Y != nil {
			c.Y = append(c.Y, s.Y[r])
		}
	}
	return c
}

// Shuffle puts the rows of s, each with its target, into random order.
func (s *Set) Shuffle(seed uint64) {
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
}

// Split divides the rows 0 … n−1 at random into round(testFraction·n) rows to
// test on and the rest to train on, at least one; both come in random order. It
// returns rkhs.ErrOption unless 0 <= testFraction < 1, and rkhs.ErrEmpty if
// n <= 0.
func Split(n int, testFraction float64, seed uint64) (train, test []int, err error) {
	if !(0 <= testFraction && testFraction < 1) {
		return nil, nil, fmt.Errorf("dataset: testFraction = %v, want 0 <= testFraction < 1: %w", testFraction, rkhs.ErrOption)
	}
	if n <= 0 {
		return nil, nil, fmt.Errorf("dataset: split of %d rows: %w", n, rkhs.ErrEmpty)
	}
	order := rng.New(seed, "dataset split", 0).Perm(n)
	tests := min(int(math.Round(testFraction*float64(n))), n-1)
	return order[tests:], order[:tests], nil
}
