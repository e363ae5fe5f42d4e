package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
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

func TestLaws(t *testing.T) {
	for _, signal := range []float64{0, 1.5} {
		x, y := skewed(1500, signal, 1)
		xt, yt := skewed(4000, signal, 2)
		for _, tau := range []float64{.01, .05, .5, .95, .99} {
			s := fmt.Sprintf("signal %v tau %v:", signal, tau)
			for _, ridge := range []float64{1e-8, 1e-3, 1, 1e3} {
				m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Features: 512, Loss: loss.Pinball{Tau: tau}, Ridge: ridge})
				if err != nil {
					t.Fatal(err)
				}
				s += fmt.Sprintf(" %.4f(%d, %.2g)", coverage(t, m, x, y), m.Report().Passes, m.Report().Gradient)
			}
			m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Loss: loss.Pinball{Tau: tau}})
			if err != nil {
				t.Fatal(err)
			}
			s += fmt.Sprintf(" default %.4f %.4f", coverage(t, m, x, y), coverage(t, m, xt, yt))
			t.Log(s)
		}
	}
}
