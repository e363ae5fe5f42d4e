package ridge

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
)

// The gradient of the objective in the weights, 2K·((K + lam·I)w − y), vanishes
// where the residual on the training rows is lam·w.
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

func TestLeaveOneOutIsThatOfRefitting(t *testing.T) {
	s, _ := synthetic.Sinc(30, 2)
	k := kernel.Gaussian{Sigma: 2}
	grid := []float64{1e-4, 1e-2, 1e-1, 1, 10}
	centred, _ := centre(s.Y)
	closed, err := newSpectrum(k, s.X, centred)
	if err != nil {
		t.Fatal(err)
	}
	best, want := math.Inf(1), 0.0
	for _, lam := range grid {
		e := refitted(t, k, s.X, centred, lam)
		if got := closed.leftOut(lam); math.Abs(got-e) > 1e-9*e {
			t.Errorf("lam %v: sum of squares %v, refitting gives %v", lam, got, e)
		}
		if e < best {
			best, want = e, lam
		}
	}
	lam, least, err := LeaveOneOut(k, s.X, s.Y, grid)
	if err != nil || lam != want || math.Abs(least-best/30) > 1e-9*least {
		t.Errorf("lam = %v of error %v (%v), refitting without each row gives %v of %v", lam, least, err, want, best/30)
	}
}

// refitted leaves out each row in turn and fits the others.
func refitted(t *testing.T, k kernel.Kernel, x *mat.Dense, y []float64, lam float64) float64 {
	t.Helper()
	all := &dataset.Set{X: x, Y: y}
	total := 0.0
	for i := range y {
		var others []int
		for j := range y {
			if j != i {
				others = append(others, j)
			}
		}
		rest, one := all.Select(others), all.Select([]int{i})
		m, err := Fit(k, rest.X, rest.Y, lam)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(one.X)
		if err != nil {
			t.Fatal(err)
		}
		total += (y[i] - f[0]) * (y[i] - f[0])
	}
	return total
}
