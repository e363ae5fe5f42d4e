package ratio_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/kernel"
)

// Rows of whole weights, of either sample, make the ratio that rows repeated make.
func TestWholeWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sample := func(n int, shift float64) (x, many *mat.Dense, w []float64) {
		x, w = mat.NewDense(n, 1, nil), make([]float64, n)
		var rows []float64
		for i := range n {
			x.Set(i, 0, shift+r.NormFloat64())
			w[i] = float64(1 + r.IntN(4))
			for range int(w[i]) {
				rows = append(rows, x.At(i, 0))
			}
		}
		return x, mat.NewDense(len(rows), 1, rows), w
	}
	p, manyP, wp := sample(60, 0.5)
	q, manyQ, wq := sample(90, 0)
	for _, form := range []ratio.Form{ratio.Plain, ratio.Log} {
		o := &ratio.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-2, Form: form}
		weighted, err := ratio.Fit(context.Background(), rkhs.Weighted{Matrix: p, Weights: wp}, rkhs.Weighted{Matrix: q, Weights: wq}, o)
		if err != nil {
			t.Fatal(err)
		}
		repeated, err := ratio.Fit(context.Background(), manyP, manyQ, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := weighted.Predict(q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := repeated.Predict(q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 90 {
			if v, w := a.At(i, 0), b.At(i, 0); !(math.Abs(v-w) < 1e-3*(1+math.Abs(w))) {
				t.Fatalf("%v, row %d: %v with weights, %v of rows repeated", form, i, v, w)
			}
		}
	}
}
