package testutil

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Intervals is a model with intervals of prediction.
type Intervals interface {
	Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error)
}

// IntervalsOfFewLevels holds intervals to cover new rows where rows tell little: what all others
// predict of one then falls as its target rises, which tells nothing of a new one.
func IntervalsOfFewLevels(t *testing.T, fit func(x, y *mat.Dense) (Intervals, error)) {
	t.Helper()
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
		const n = 2000
		x, y := draw(n)
		lower, upper, err := m.Interval(x, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		covered := 0
		for i := range n {
			if v := y.At(i, 0); lower.At(i, 0) <= v && v <= upper.At(i, 0) {
				covered++
			}
		}
		if share := float64(covered) / n; share < 0.86 || share > 0.94 {
			t.Errorf("%d levels: intervals of level 0.9 cover %.3f", levels, share)
		}
	}
}
