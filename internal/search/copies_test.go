package search

import (
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

func TestWithoutCopies(t *testing.T) {
	x := compute.ColumnOf([]float64{1, 2, 1, 3, 2})
	order := []int{4, 3, 2, 1, 0}
	for _, c := range []struct {
		y      []float64
		labels []int
		want   []int
	}{
		{[]float64{5, 6, 5, 7, 6}, nil, []int{4, 3, 2}},
		{[]float64{5, 6, 8, 7, 6}, nil, order},
		{nil, []int{0, 1, 0, 1, 1}, []int{4, 3, 2}},
		{nil, []int{0, 1, 0, 1, 0}, order},
	} {
		if got := withoutCopies(compute.DensePoints(x), compute.ColumnOf(c.y), c.labels, order); !slices.Equal(got, c.want) {
			t.Errorf("targets %v, labels %v: %v, want %v", c.y, c.labels, got, c.want)
		}
	}
}
