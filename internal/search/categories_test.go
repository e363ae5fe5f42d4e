package search

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// coded returns rows of two codes of eight levels and a number. The effect of a code is
// either a permutation of its levels or increasing.
func coded(n int, nominal bool) (x, y compute.Matrix) {
	x, y = normals(n, 3, "coded"), normals(n, 1, "noise")
	s := rng.New(1, "codes", 0)
	effect := []float64{0, 1, 2, 3, 4, 5, 6, 7}
	if nominal {
		effect = []float64{3, -4, 1, 5, -2, 4, -5, 0}
	}
	for i := range n {
		a, b := s.IntN(8), s.IntN(8)
		x.Data[3*i], x.Data[3*i+1] = float64(a), float64(10*b)
		y.Data[i] = effect[a] + effect[b]/2 + x.Data[3*i+2] + 0.3*y.Data[i]
	}
	return x, y
}

func TestCategories(t *testing.T) {
	x, _ := coded(300, true)
	ten := []float64{0, 10, 20, 30, 40, 50, 60, 70}
	if got := categories(x); !reflect.DeepEqual(got, [][]float64{{0, 1, 2, 3, 4, 5, 6, 7}, ten, nil}) {
		t.Errorf("levels %v", got)
	}
	// With 30 rows, eight levels have fewer than five rows each.
	if got := categories(compute.Rows(x, 0, 30)); got != nil {
		t.Errorf("levels %v of 30 rows", got)
	}
	for i := range x.Rows { // an indicator and numbers
		x.Data[3*i] = min(1, x.Data[3*i])
		x.Data[3*i+1] += x.Data[3*i+2]
	}
	if got := categories(x); got != nil {
		t.Errorf("levels %v where there are no codes", got)
	}
}

// TestTuneEncodesCategories expects one-hot encoding if the order of codes is meaningless,
// in any units, and no encoding otherwise.
func TestTuneEncodesCategories(t *testing.T) {
	encoded := func(nominal bool, unit, shift float64) (error float64, is bool) {
		x, y := coded(400, nominal)
		for i, v := range x.Data {
			x.Data[i] = v*unit + shift
		}
		c := Tune(compute.DensePoints(x), y, nil, Options{Rows: 400, Seed: 1, Metric: kernel.NoMetric})
		_, is = c.Kernel.(kernel.OneHot)
		return c.Error, is
	}
	first, is := encoded(true, 1, 0)
	if !is {
		t.Error("codes of categories are not encoded")
	}
	if second, is := encoded(true, 1e-5, 0.01); !is || second > 1.02*first {
		t.Errorf("in other units: encoded %v, error %v instead of %v", is, second, first)
	}
	if _, is := encoded(false, 1, 0); is {
		t.Error("ordered codes are encoded")
	}
}

// TestMetricOfCategories learns weights for six codes, of which two matter.
func TestMetricOfCategories(t *testing.T) {
	n := 900
	x, y := compute.NewMatrix(n, 6), normals(n, 1, "noise")
	s := rng.New(2, "codes", 0)
	sign := []float64{1, -1, -1, 1, -1, 1}
	for i := range n {
		row := compute.Row(x, i)
		for j := range row {
			row[j] = float64(s.IntN(len(sign)))
		}
		y.Data[i] = sign[int(row[0])]*sign[int(row[1])] + 0.2*y.Data[i]
	}
	tune := func(linear bool) (kernel.SearchResult, bool) {
		return TuneMetric(compute.DensePoints(x), y, nil, Options{Seed: 1, Metric: kernel.DiagonalMetric, Linear: linear})
	}
	c, learned := tune(false)
	k, ok := c.Kernel.(kernel.OneHot)
	if !ok || !learned {
		t.Fatalf("metric learned: %v, kernel %v", learned, c.Kernel)
	}
	scales := k.Of.(kernel.ARD).Scales
	q := len(sign) // indicators; only one sign matters
	if max(slices.Min(scales[:q]), slices.Min(scales[q:2*q])) > slices.Min(scales[2*q:])/10 {
		t.Errorf("scales %v: the codes that count are not told from the others", scales)
	}
	if c, _ := tune(true); reflect.TypeOf(c.Kernel) == reflect.TypeOf(k) {
		t.Error("encoded in spite of Linear")
	}
}
