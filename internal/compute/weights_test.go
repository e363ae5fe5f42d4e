package compute

import (
	"math"
	"slices"
	"testing"
)

// Nil weights mean 1, and integer weights equal repeated rows.
func TestWeights(t *testing.T) {
	m := Matrix{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1, 2, 3, 4, 5, 6}}
	w := Weights{1, 0.25, 4}
	if v := w.Means(m); math.Abs(v[0]-21.75/5.25) > 1e-15 || math.Abs(v[1]-27./5.25) > 1e-15 {
		t.Errorf("means %v", v)
	}
	if v := w.Dots(m, m); !slices.Equal(v, []float64{1 + 9./4 + 100, 4 + 4 + 144}) {
		t.Errorf("products %v", v)
	}
	if w.Total(3) != 5.25 || w.Least() != 0.25 || w.Most() != 4 || !slices.Equal(w.Pick([]int{2, 0}), Weights{4, 1}) || !slices.Equal(w.Between(1, 3), w[1:]) {
		t.Error("a part or the sum is wrong")
	}
	scaled, roots := Clone(m), Clone(m)
	w.Scale(scaled)
	w.ScaleByRoots(roots)
	if !slices.Equal(scaled.Data, []float64{1, 2, 0.75, 1, 20, 24}) || !slices.Equal(roots.Data, []float64{1, 2, 1.5, 2, 10, 12}) {
		t.Errorf("rows %v, by roots %v", scaled.Data, roots.Data)
	}
	var ones Weights
	if ones.At(7) != 1 || ones.Total(3) != 3 || ones.Least() != 1 || ones.Most() != 1 || ones.Pick([]int{1}) != nil || ones.Between(0, 1) != nil ||
		!slices.Equal(ones.Means(m), []float64{3, 4}) || !slices.Equal(ones.Dots(m, m), ColumnDots(m, m)) {
		t.Error("nil weights are not ones")
	}
	ones.Scale(m)
	ones.ScaleByRoots(m)
	if !slices.Equal(m.Data, []float64{1, 2, 3, 4, 5, 6}) {
		t.Error("nil weights change rows")
	}
}
