package compute_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// FirstCopies finds copies with equal targets and returns nil if targets differ.
func TestFirstCopies(t *testing.T) {
	x := compute.DensePoints(compute.Matrix{Rows: 5, Cols: 2, Stride: 2, Data: []float64{1, 0, 2, 3, 1, math.Copysign(0, -1), 4, 5, 2, 3}})
	y := compute.ColumnOf([]float64{1, 2, 1, 3, 2})
	first := x.FirstCopies(y, nil)
	if !slices.Equal(first, []int{0, 1, 0, 3, 1}) {
		t.Errorf("first copies %v", first)
	}
	if got := compute.Distinct([]int{4, 2, 3, 0, 1}, first); !slices.Equal(got, []int{3, 0, 1}) {
		t.Errorf("distinct %v", got)
	}
	if got := compute.WithCopies([]int{3, 0}, []int{0, 1, 2, 3, 4}, first); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("with copies %v", got)
	}
	if x.FirstCopies(compute.ColumnOf([]float64{1, 2, 7, 3, 2}), nil) != nil || x.FirstCopies(y, []int{0, 1, 2, 3, 1}) != nil {
		t.Error("copies of different targets")
	}
	if x.Between(1, 4).FirstCopies(compute.ColumnOf([]float64{2, 1, 3}), nil) != nil {
		t.Error("rows that all differ have copies")
	}
}
