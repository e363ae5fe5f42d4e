package slkl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// Integer weights give the same model as repeated rows in every mode of the solver. A fit scales weights to
// mean one, so the sum of losses of repeated rows is larger by the mean weight. The penalty is proportional
// to its square, and the noise to the mean weight.
func TestWholeWeights(t *testing.T) {
	const n = 120
	r := rand.New(rand.NewPCG(7, 8))
	x, y, w := mat.NewDense(n, testutil.Inputs, nil), mat.NewDense(n, 2, nil), make([]float64, n)
	var rows, targets []float64
	total := 0.0
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		y.SetRow(i, []float64{3 + math.Sin(2*row[0]) + 0.3*r.NormFloat64(), row[1] * row[2]})
		w[i] = float64(1 + r.IntN(4))
		total += w[i]
		for range int(w[i]) {
			rows, targets = append(rows, row...), append(targets, y.RawRowView(i)...)
		}
	}
	many := len(targets) / 2
	mean := total / n
	for _, o := range []slkl.Options{
		{Penalty: 0.01},
		{Penalty: 0.01, Noise: 0.1},
		{Penalty: 0.01, Paper: slkl.Paper{NoIntercept: true}},
		{Penalty: 0.01, Paper: slkl.Paper{Shared: true}},
		{Penalty: 0.01, Paper: slkl.Paper{LowMemory: true}},
		{Penalty: 0.01, Paper: slkl.Paper{LowMemory: true, NoIntercept: true, Shared: true}},
	} {
		o.Points, o.Kernels, o.Tolerance = points(30), []kernel.Kernel{kernel.Gaussian{Sigma: 1.5}}, 1e-12
		weighted, err := slkl.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%+v", o)
		o.Penalty, o.Noise = o.Penalty*mean*mean, o.Noise*mean
		repeated, err := slkl.Fit(context.Background(), mat.NewDense(many, testutil.Inputs, rows), mat.NewDense(many, 2, targets), &o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := weighted.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		b, err := repeated.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(a, b, 1e-5) {
			t.Errorf("%s: rows of whole weights are not rows repeated", name)
		}
	}
}

// The default penalty and ridge depend only on rows of positive weight.
func TestWeightsByDefault(t *testing.T) {
	testutil.Long(t, "it takes some seconds, of the code of the contract")
	const n = 600
	r := rand.New(rand.NewPCG(9, 10))
	x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	truth := func(row []float64) float64 { return math.Sin(2*row[0]) + row[1] }
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), 1
		v := truth(row)
		if i%2 == 0 {
			v, w[i] = -v, 1e-4
		}
		y.Set(i, 0, v+0.1*r.NormFloat64())
	}
	m, err := slkl.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range n {
		sum += math.Pow(p.At(i, 0)-truth(x.RawRowView(i)), 2) / n
	}
	if !(math.Sqrt(sum) < 0.1) { // the second function is 2 away
		t.Errorf("RMSE %.3g", math.Sqrt(sum))
	}
}
