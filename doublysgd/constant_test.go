package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/loss"
)

// skewed draws rows of three columns and log-normal targets, whose size depends on the
// first column by the given amount.
func skewed(n int, signal float64, seed uint64) (x, y *mat.Dense) {
	draw := rng.New(seed, "skewed", 0)
	x, y = mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 3 {
			x.Set(i, j, draw.NormFloat64())
		}
		y.Set(i, 0, math.Exp(signal*math.Sin(2*x.At(i, 0))+draw.NormFloat64()))
	}
	return x, y
}

// coverage returns the fraction of targets that are at most f.
func coverage(t *testing.T, m *doublysgd.Model, x, y *mat.Dense) float64 {
	t.Helper()
	f, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	below, n := 0, x.RawMatrix().Rows
	for i := range n {
		if y.At(i, 0) <= f.At(i, 0) {
			below++
		}
	}
	return float64(below) / float64(n)
}

func TestLawsSteps(t *testing.T) {
	t.Skip()
	for _, n := range []int{1500, 10000} {
		for _, signal := range []float64{0, 1.5} {
			x, y := skewed(n, signal, 1)
			xt, yt := skewed(4000, signal, 2)
			for _, tau := range []float64{.01, .05, .5, .95, .99} {
				s := fmt.Sprintf("%d signal %v tau %v:", n, signal, tau)
				for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
					o := &doublysgd.Options{Mode: mode, Loss: loss.Pinball{Tau: tau}}
					m, err := doublysgd.Fit(context.Background(), x, y, o)
					if err != nil {
						t.Fatal(err)
					}
					s += fmt.Sprintf(" %v %.4f %.4f", mode, coverage(t, m, x, y), coverage(t, m, xt, yt))
					l, err := doublysgd.NewLearner(o)
					if err != nil {
						t.Fatal(err)
					}
					if err := l.Update(x, y); err != nil {
						t.Fatal(err)
					}
					if m, err = l.Model(context.Background()); err != nil {
						t.Fatal(err)
					}
					s += fmt.Sprintf(" stream %.4f %.4f", coverage(t, m, x, y), coverage(t, m, xt, yt))
				}
				t.Log(s)
			}
		}
	}
}
