package slklpaper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
)

// The weights of the columns give the same function as ridge regression with the Gram matrix K̃ of
// eq. (3): f = K̃(K̃ + lam·I)⁻¹y on the training rows.
func TestUniformIsRidgeRegressionWithTheCombinedKernel(t *testing.T) {
	const n, m = 40, 7
	s, _ := synthetic.Sinc(n, 3)
	k := gaussian(1)
	got, err := uniform(k, s, m, s.X)
	if err != nil {
		t.Fatal(err)
	}
	mu := make([]float64, m)
	for i := range mu {
		mu[i] = 1.0 / m
	}
	combined := kernel.LowRank{Base: k, Points: mat.DenseCopyOf(s.X.Slice(0, m, 0, 2)), Weights: mu}
	want, err := exact(combined, s, n, s.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want {
		if math.Abs(got[i]-v) > 1e-12 {
			t.Errorf("row %d: %v, want %v", i, got[i], v)
		}
	}
}
