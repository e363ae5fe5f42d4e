package svm

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// stored is a Gram matrix in memory.
type stored struct {
	gram blas64.General
	list [][]float64
}

func (s *stored) rows(w []int) [][]float64 {
	s.list = s.list[:0]
	for _, i := range w {
		s.list = append(s.list, compute.Row(s.gram, i))
	}
	return s.list
}

func (*stored) restrict([]int) {}
func (*stored) shrinks() bool  { return false }
func (*stored) batch() int     { return storedBatch }

func (s *stored) times(dst []float64, rows, columns []int, c []float64) {
	for r, i := range rows {
		row, sum := compute.Row(s.gram, i), 0.0
		for t, j := range columns {
			sum += c[t] * row[j]
		}
		dst[r] = sum
	}
}

func (s *stored) diagonal(dst []float64) {
	for i := range dst {
		dst[i] = compute.Row(s.gram, i)[i]
	}
}
