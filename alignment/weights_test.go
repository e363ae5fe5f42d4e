package alignment_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
)

// weighedTask returns rows with integer weights, of which the smallest is one, and the same rows
// repeated. Targets are numbers or labels.
func weighedTask(n int, labels bool) (x, y, manyX, manyY *mat.Dense, w []float64, mean float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, w = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	var rows, targets []float64
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), float64(1+r.IntN(3))
		v := math.Sin(2*row[0]) + row[1] + 0.2*r.NormFloat64()
		if labels {
			v = math.Copysign(1, v)
		}
		y.Set(i, 0, v)
		mean += w[i] / float64(n)
		for range int(w[i]) {
			rows, targets = append(rows, row...), append(targets, v)
		}
	}
	return x, y, mat.NewDense(len(targets), 2, rows), mat.NewDense(len(targets), 1, targets), w, mean
}

// Integer weights are equivalent to repeated rows for the kernel of maximum alignment, for ridge
// regression and for support vector machines. The ridge is relative to the sum of losses, and C
// multiplies it; weights of mean one imply fewer rows.
func TestWholeWeights(t *testing.T) {
	x, y, manyX, manyY, w, mean := weighedTask(80, false)
	o := alignment.Options{Criterion: alignment.Alignment, Family: kernel.Gaussian{}, Ridge: []float64{0.1}}
	a, err := alignment.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.Ridge = []float64{0.1 * mean}
	b, err := alignment.Fit(context.Background(), manyX, manyY, &o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "ridge", a, b, x, 1e-4)

	x, y, manyX, manyY, w, mean = weighedTask(80, true)
	o = alignment.Options{Criterion: alignment.Alignment, Family: kernel.Gaussian{}, C: []float64{1}}
	c, err := alignment.FitClassifier(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.C = []float64{1 / mean}
	d, err := alignment.FitClassifier(context.Background(), manyX, manyY, &o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "machine", c.Model(), d.Model(), x, 2e-2)
}

func same(t *testing.T, name string, a, b *alignment.Model, x *mat.Dense, most float64) {
	t.Helper()
	p, err := a.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(p, q, most) {
		t.Errorf("%s: rows of whole weights are not rows repeated", name)
	}
}

// Default selections use weights.
func TestWeightsByDefault(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(3, 4))
	x, y, truth, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), 1
		v := math.Sin(2*row[0]) + row[1]
		truth.Set(i, 0, v)
		if i%2 == 0 {
			v, w[i] = -v, 1e-4*(1+r.Float64())
		}
		y.Set(i, 0, v+0.1*r.NormFloat64())
	}
	for _, c := range []alignment.Criterion{alignment.LeaveOneOut, alignment.Alignment} {
		m, err := alignment.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, &alignment.Options{Criterion: c})
		if err != nil {
			t.Fatal(c, err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := dataset.RMSE(p, truth); !(e < 0.25) { // the second function is 2.4 away
			t.Errorf("%v: RMSE %.3g", c, e)
		}
	}
}
