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

// TestWholeWeights checks that integer weights and repeated rows give the same function.
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
	o := &novelty.Options{Kernel: kernel.Gaussian{Sigma: 1}, Nu: 0.2, Tolerance: 1e-4}
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

// TestWeightsOfAStream checks that rows of negligible weight have no effect in a stream. Half
// of the rows have such a weight and are distant.
func TestWeightsOfAStream(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(3, 4))
	x, w := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		w[i] = 2
		if i%2 == 0 {
			x.Set(i, 0, x.At(i, 0)+8)
			w[i] = 1e-4
		}
	}
	l, err := novelty.NewLearner(&novelty.Options{Kernel: kernel.Gaussian{Sigma: 1}, Nu: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; from += 100 {
		if err := l.Update(rkhs.Weighted{Matrix: x.Slice(from, from+100, 0, 2), Weights: w[from : from+100]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Update(rkhs.Weighted{Matrix: x, Weights: w[1:]}); err == nil {
		t.Error("a weight too few: no error")
	}
	file, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := new(novelty.Learner)
	if err := again.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	m, err := again.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	inside := [2]int{}
	for i := range n {
		if p.At(i, 0) > 0 {
			inside[i%2]++
		}
	}
	if inside[0] > 0 || inside[1] < 8*n/20 {
		t.Errorf("inside are %d of the rows without weight and %d of %d others", inside[0], inside[1], n/2)
	}
}
