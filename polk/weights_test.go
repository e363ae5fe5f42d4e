package polk_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// weighedRows returns rows of which some follow a different function with negligible weight.
func weighedRows(n int) (x, y *mat.Dense, w []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, w = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), 1
		v := ripple(row)
		if i%2 == 0 {
			v, w[i] = -v, 1e-3
		}
		y.Set(i, 0, v+0.1*r.NormFloat64())
	}
	return x, y, w
}

func ripple(row []float64) float64 { return math.Sin(row[0]) + row[1] }

// Steps, default options and the final solve use weights.
func TestWeightsCount(t *testing.T) {
	x, y, w := weighedRows(1500)
	truth := mat.NewDense(1500, 1, nil)
	truth.Apply(func(i, _ int, _ float64) float64 { return ripple(x.RawRowView(i)) }, truth)
	near := func(name string, m rkhs.Model, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(name, err)
		}
		if e, _ := dataset.RMSE(p, truth); !(e < 0.5) { // the second function is 2.4 away
			t.Errorf("%s: RMSE %.3g", name, e)
		}
	}
	g := kernel.Gaussian{Sigma: 2}
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{Delta: 0.5}, loss.Absolute{}} {
		m, err := polk.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &polk.Options{Kernel: g, Loss: l})
		near(l.(interface{ String() string }).String(), m, err)
	}
	for name, o := range map[string]polk.Options{"default": {}, "rate": {Kernel: g, Ridge: 1e-5, Paper: polk.Paper{Rate: 0.3}}} {
		l, err := polk.NewLearner(&o)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < 1500; from += 20 {
			if err := l.Update(rkhs.Weighted{Matrix: x.Slice(from, from+20, 0, 2), Weights: w[from : from+20]}, y.Slice(from, from+20, 0, 1)); err != nil {
				t.Fatal(err)
			}
		}
		m, err := l.Model(context.Background())
		near("learner, "+name, m, err)
	}
}

// A step on rows with integer weights, scaled to mean one, equals a step on repeated rows if no other
// setting depends on the number of rows.
func TestWholeWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	o := &polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3, Paper: polk.Paper{Rate: 0.5, NoIntercept: true, Schedule: polk.Constant, Lossless: true}}
	weighted, err := polk.NewLearner(o)
	if err != nil {
		t.Fatal(err)
	}
	repeated, err := polk.NewLearner(o)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		x, y, w := mat.NewDense(6, 2, nil), mat.NewDense(6, 1, nil), make([]float64, 6)
		var rows, targets []float64
		total := 0.0
		for i := range 6 {
			x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
			y.Set(i, 0, ripple(x.RawRowView(i)))
			w[i] = float64(1 + r.IntN(4))
			total += w[i]
			for range int(w[i]) {
				rows, targets = append(rows, x.RawRowView(i)...), append(targets, y.At(i, 0))
			}
		}
		for i := range w {
			w[i] *= 6 / total
		}
		if err := weighted.Update(rkhs.Weighted{Matrix: x, Weights: w}, y); err != nil {
			t.Fatal(err)
		}
		if err := repeated.Update(mat.NewDense(len(targets), 2, rows), mat.NewDense(len(targets), 1, targets)); err != nil {
			t.Fatal(err)
		}
	}
	at := mat.NewDense(30, 2, nil)
	at.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, at)
	var p [2]*mat.Dense
	for i, l := range []*polk.Learner{weighted, repeated} {
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if p[i], err = m.Predict(at); err != nil {
			t.Fatal(err)
		}
	}
	if !mat.EqualApprox(p[0], p[1], 1e-6) {
		t.Errorf("weights: %v, rows repeated: %v", mat.Formatted(p[0].T()), mat.Formatted(p[1].T()))
	}
}
