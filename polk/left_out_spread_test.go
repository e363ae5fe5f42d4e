package polk_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/polk"
)

// Intervals cover new rows where rows tell little: what all others predict of one then falls as its
// target rises, which tells nothing of a new one.
func TestIntervalOfFewLevels(t *testing.T) {
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
		x, y := draw(400)
		m, err := polk.Fit(context.Background(), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		const n = 2000
		x, y = draw(n)
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
