package ridge_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/ridge"
)

// Weights improve the fit if the noise of the rows differs, also with the kernel search: half of the rows are
// almost noise.
func TestWeightsOfNoise(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(1, 2))
	x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	truth := func(row []float64) float64 { return math.Sin(2*row[0]) + row[1]*row[1] }
	for i := range n {
		row, deviation := x.RawRowView(i), 0.1
		row[0], row[1] = r.NormFloat64(), r.NormFloat64()
		if i%2 == 0 {
			deviation = 5
		}
		y.Set(i, 0, truth(row)+deviation*r.NormFloat64())
		w[i] = 1 / (deviation * deviation)
	}
	test := mat.NewDense(500, 2, nil)
	test.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, test)
	wrong := func(rows mat.Matrix) float64 {
		m, err := ridge.Fit(context.Background(), rows, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(test)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range 500 {
			sum += math.Pow(p.At(i, 0)-truth(test.RawRowView(i)), 2) / 500
		}
		return math.Sqrt(sum)
	}
	with, without := wrong(rkhs.Weighted{Matrix: x, Weights: w}), wrong(x)
	if !(with < 0.2 && with < without/3) {
		t.Errorf("RMSE %.3g with weights, %.3g without", with, without)
	}
}
