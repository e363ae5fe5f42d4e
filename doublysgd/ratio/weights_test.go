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

// TestWholeWeights checks that integer weights and repeated rows give the same ratio.
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
		d, err := weighted.Divergence(rkhs.Weighted{Matrix: p, Weights: wp})
		if err != nil {
			t.Fatal(err)
		}
		if other, err := weighted.Divergence(manyP); err != nil || math.Abs(d-other) > 1e-12 {
			t.Errorf("%v: divergence %v with weights, %v of rows repeated, error %v", form, d, other, err)
		}
		if _, err := weighted.Divergence(rkhs.Weighted{Matrix: p, Weights: wp[1:]}); err == nil {
			t.Error("a weight too few: no error")
		}
		for i := range 90 {
			if v, w := a.At(i, 0), b.At(i, 0); !(math.Abs(v-w) < 1e-3*(1+math.Abs(w))) {
				t.Fatalf("%v, row %d: %v with weights, %v of rows repeated", form, i, v, w)
			}
		}
	}
}

// TestWeightsOfAStream checks that rows of negligible weight have no effect in a stream.
// Half of the rows of p are distant with such a weight; near the other rows the ratio must be 1.
func TestWeightsOfAStream(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(3, 4))
	p, q, w := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		q.Set(i, 0, r.NormFloat64())
		p.Set(i, 0, r.NormFloat64())
		w[i] = 2
		if i%2 == 0 {
			p.Set(i, 0, 8+r.NormFloat64())
			w[i] = 1e-4
		}
	}
	for _, form := range []ratio.Form{ratio.Plain, ratio.Log} {
		l, err := ratio.NewLearner(&ratio.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3, Form: form})
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < n; from += 100 {
			if err := l.Update(rkhs.Weighted{Matrix: p.Slice(from, from+100, 0, 1), Weights: w[from : from+100]}, q.Slice(from, from+100, 0, 1)); err != nil {
				t.Fatal(err)
			}
		}
		file, err := l.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again := new(ratio.Learner)
		if err := again.UnmarshalBinary(file); err != nil {
			t.Fatal(err)
		}
		m, err := again.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(mat.NewDense(3, 1, []float64{-1, 0, 1}))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if v := f.At(i, 0); !(v > 0.75 && v < 1.25) { // 0.5 if all rows had equal weight
				t.Errorf("%v: ratio %v at %d", form, v, i-1)
			}
		}
	}
}
