package ridge

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
)

// The gradient of the objective in the weights, 2K·((K + lam·I)w − y), is zero if the residual on
// the training rows is lam·w.
func TestFitMeetsOptimality(t *testing.T) {
	s, _ := synthetic.Sinc(60, 1)
	const lam = 0.1
	m, err := FitCentred(kernel.Gaussian{Sigma: 1.5}, s.X, s.Y, lam)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Predict(s.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range f {
		if r := s.Y[i] - v; math.Abs(r-lam*m.weights.AtVec(i)) > 1e-12 {
			t.Errorf("row %d: residual %v, want lam·w = %v", i, r, lam*m.weights.AtVec(i))
		}
	}
}

func TestFitRefusesSingularMatrix(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1, 1, 1})
	if _, err := Fit(kernel.Gaussian{Sigma: 1}, x, []float64{1, 2, 3}, -1); err == nil {
		t.Error("no error for K + lam·I of negative eigenvalues")
	}
}
