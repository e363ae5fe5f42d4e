package novelty_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/kernel"
)

// Rows of whole weights make the function that rows repeated make, and the fraction of
// their weights is novel.
func TestWholeWeights(t *testing.T) {
	const n = 80
	r := rand.New(rand.NewPCG(1, 2))
	x, w := mat.NewDense(n, 2, nil), make([]float64, n)
	var rows []float64
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), float64(1+r.IntN(4))
		for range int(w[i]) {
			rows = append(rows, row...)
		}
	}
	many := mat.NewDense(len(rows)/2, 2, rows)
	o := &novelty.Options{Kernel: kernel.Gaussian{Sigma: 1}, Fraction: 0.2, Tolerance: 1e-4}
	var p [2]*mat.Dense
	for i, rows := range []mat.Matrix{rkhs.Weighted{Matrix: x, Weights: w}, many} {
		m, err := novelty.Fit(context.Background(), rows, o)
		if err != nil {
			t.Fatal(err)
		}
		if p[i], err = m.Predict(x); err != nil {
			t.Fatal(err)
		}
	}
	size := mat.Max(p[1]) - mat.Min(p[1])
	var off mat.Dense
	off.Sub(p[0], p[1])
	if e := mat.Max(&off) - mat.Min(&off); !(e < 1e-2*size) {
		t.Errorf("scores differ by %.3g, of %.3g", e, size)
	}
	if _, err := novelty.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w[1:]}, o); err == nil {
		t.Error("a weight too few: no error")
	}
}
