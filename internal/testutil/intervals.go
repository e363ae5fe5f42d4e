package testutil

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Intervals is a model with prediction intervals.
type Intervals interface {
	Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error)
}

// IntervalsOfFewLevels checks the coverage of intervals at unseen rows if the input has one, two or
// three distinct values. The leave-one-out prediction of a row then falls as its own target rises,
// and this correlation must not distort the intervals.
func IntervalsOfFewLevels(t *testing.T, fit func(x, y *mat.Dense) (Intervals, error)) {
	t.Helper()
	const n = 2000
	for _, levels := range []int{1, 2, 3} {
		r := rand.New(rand.NewPCG(uint64(levels), 0))
		draw := func(n int) (x, y *mat.Dense) {
			x, y = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
			for i := range n {
				x.Set(i, 0, float64(r.IntN(levels)))
				y.Set(i, 0, x.At(i, 0)/2+r.NormFloat64())
			}
			return x, y
		}
		m, err := fit(draw(400))
		if err != nil {
			t.Fatal(err)
		}
		x, y := draw(n)
		if share := coverage(t, m, x, y, 0.9); share < 0.86 || share > 0.94 {
			t.Errorf("%d levels: intervals of level 0.9 cover %.3f", levels, share)
		}
	}
}

// coverage returns the share of targets inside their intervals.
func coverage(t testing.TB, m Intervals, x, y *mat.Dense, level float64) float64 {
	t.Helper()
	lower, upper, err := m.Interval(x, level)
	if err != nil {
		t.Fatalf("Interval: %v", err)
	}
	n, _ := y.Dims()
	covered := 0
	for i := range n {
		if v := y.At(i, 0); lower.At(i, 0) <= v && v <= upper.At(i, 0) {
			covered++
		}
	}
	return float64(covered) / float64(n)
}
