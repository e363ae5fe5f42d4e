package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestNormalScores compares scores with the quantiles of the normal distribution at the middle ranks.
func TestNormalScores(t *testing.T) {
	values, scores := normalScores([]float64{1, 1, 1, 2, 5, 5, 9, 20})
	want := []float64{1.5, 3.5, 5, 6.5, 7.5}
	if !slices.Equal(values, []float64{1, 2, 5, 9, 20}) {
		t.Fatalf("values %v", values)
	}
	for i, r := range want {
		if z := distuv.UnitNormal.Quantile(r / 8); math.Abs(scores[i]-z) > 1e-12 {
			t.Errorf("score %d is %v, want %v", i, scores[i], z)
		}
	}
}

// TestFewer keeps the extremes and at most 65 knots. The interpolation of a normal column is
// within half a step of its scores.
func TestFewer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 2000)
	for i := range v {
		v[i] = math.Exp(2 * r.NormFloat64())
	}
	slices.Sort(v)
	all, z := normalScores(v)
	from, to := fewer(all, z)
	if len(from) > knots || len(from) < knots/2 || from[0] != v[0] || from[len(from)-1] != v[len(v)-1] {
		t.Fatalf("%d knots from %v to %v", len(from), from[0], from[len(from)-1])
	}
	w := columnMap{from: [][]float64{from}, to: [][]float64{to}}
	x := compute.NewMatrix(len(all), 1)
	copy(x.Data, all)
	for i, u := range w.apply(x, 1).Data {
		if math.Abs(u-z[i]) > 0.15 {
			t.Errorf("score of %v is %v, want %v", all[i], u, z[i])
		}
	}
}

// TestWarpings finds a function for a skewed column, but no function for normal and two-valued
// columns.
func TestWarpings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, skewed := compute.NewMatrix(500, 2), compute.NewMatrix(500, 2)
	for i := range x.Rows {
		u, v := r.NormFloat64(), float64(r.IntN(2))
		copy(compute.Row(x, i), []float64{u, v})
		copy(compute.Row(skewed, i), []float64{math.Exp(1.5 * u), v})
	}
	if w := warpings(x); len(w) != 0 {
		t.Errorf("%d functions of a normal column", len(w))
	}
	w := warpings(skewed)
	if len(w) == 0 || w[0].from[0] == nil || w[0].from[1] != nil {
		t.Fatalf("functions of a skewed column: %v", w)
	}
	if c := correlation(sortedColumn(w[0].apply(skewed, 1), 0), sortedColumn(x, 0)); c < 0.99 {
		t.Errorf("normal scores of exp(1.5·u) have the correlation %v with u", c)
	}
}
