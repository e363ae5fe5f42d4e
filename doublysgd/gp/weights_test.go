package gp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestWholeWeights checks that integer weights and repeated rows give the same mean and
// variance, also after loading. Weights are scaled to mean one, so the noise of the
// repeated rows is larger by the mean weight.
func TestWholeWeights(t *testing.T) {
	const n = 60
	r := rand.New(rand.NewPCG(1, 2))
	x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	var rows, targets []float64
	total := 0.0
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1] = r.NormFloat64(), r.NormFloat64()
		y.Set(i, 0, math.Sin(2*row[0])+row[1]+0.1*r.NormFloat64())
		w[i] = float64(1 + r.IntN(4))
		total += w[i]
		for range int(w[i]) {
			rows, targets = append(rows, row...), append(targets, y.At(i, 0))
		}
	}
	o := gp.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 1}, Noise: 0.05, NoConstant: true, Tolerance: 1e-10}
	weighted, err := gp.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.Noise *= total / n
	repeated, err := gp.Fit(context.Background(), mat.NewDense(len(targets), 2, rows), mat.NewDense(len(targets), 1, targets), &o)
	if err != nil {
		t.Fatal(err)
	}
	at := mat.NewDense(20, 2, nil)
	at.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, at)
	mean, variance := meanAndVariance(t, weighted, at)
	wantMean, wantVariance := meanAndVariance(t, repeated, at)
	if !mat.EqualApprox(mean, wantMean, 1e-7) || !mat.EqualApprox(variance, wantVariance, 1e-7) {
		t.Errorf("weights: mean %v, variance %v; rows repeated: %v, %v", mean.RawMatrix().Data, variance.RawMatrix().Data, wantMean.RawMatrix().Data, wantVariance.RawMatrix().Data)
	}
	file, err := weighted.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := new(gp.Model)
	if err := again.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	mean, variance = meanAndVariance(t, again, at)
	if !mat.EqualApprox(mean, wantMean, 1e-7) || !mat.EqualApprox(variance, wantVariance, 1e-7) {
		t.Error("the file has another posterior")
	}
}

func meanAndVariance(t *testing.T, m *gp.Model, x *mat.Dense) (mean, variance *mat.Dense) {
	t.Helper()
	mean, err := m.Predict(x)
	variance, other := m.Variance(context.Background(), x)
	if err = errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	return mean, variance
}

// TestWeightsOfNoise checks that inverse noise variances as weights give an accurate mean
// and variance by default.
func TestWeightsOfNoise(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(3, 4))
	x, y, w := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		deviation := 0.05
		if i%2 == 0 {
			deviation = 5
		}
		v := 3 * r.NormFloat64()
		x.Set(i, 0, v)
		y.Set(i, 0, math.Sin(v)+deviation*r.NormFloat64())
		w[i] = 1 / (deviation * deviation)
	}
	m, err := gp.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := mat.NewDense(41, 1, nil)
	at.Apply(func(i, _ int, _ float64) float64 { return float64(i-20) / 10 }, at)
	mean, variance := meanAndVariance(t, m, at)
	for i := range 41 {
		if e := math.Abs(mean.At(i, 0) - math.Sin(at.At(i, 0))); !(e < 0.1) || !(math.Sqrt(variance.At(i, 0)) < 0.1) {
			t.Fatalf("at %v the mean is %.3g off, with a deviation of %.3g", at.At(i, 0), e, math.Sqrt(variance.At(i, 0)))
		}
	}
}
