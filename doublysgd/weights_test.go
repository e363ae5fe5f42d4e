package doublysgd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// repeatedRows returns rows with integer weights, and the same rows repeated by their weights.
func repeatedRows(n int, labels bool) (x, y, manyX, manyY *mat.Dense, weights []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, weights = mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	var rows, targets []float64
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		v := 1 + math.Sin(2*row[0]) + row[2] + 0.3*r.NormFloat64()
		if labels {
			v = math.Copysign(1, v-1)
		}
		y.Set(i, 0, v)
		weights[i] = float64(1 + r.IntN(4))
		for range int(weights[i]) {
			rows, targets = append(rows, row...), append(targets, v)
		}
	}
	return x, y, mat.NewDense(len(targets), 3, rows), mat.NewDense(len(targets), 1, targets), weights
}

// TestWholeWeights checks that integer weights and repeated rows give the same function under
// every loss, with a joint solution and with visits of blocks.
func TestWholeWeights(t *testing.T) {
	testutil.Long(t, "a hundred fits, of which the contract has some")
	for _, c := range []struct {
		name   string
		losses []loss.Loss
		labels bool
	}{{"numbers", testutil.RegressionLosses(), false}, {"labels", testutil.LabelLosses(2), true}} {
		x, y, manyX, manyY, w := repeatedRows(150, c.labels)
		for _, l := range c.losses {
			for _, passes := range []int{0, 1000} { // 1000 passes visit blocks
				o := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-3, Features: 96, Loss: l, Tolerance: 1e-7, Paper: doublysgd.Paper{Columns: 32, Mode: doublysgd.Revisit, Passes: passes}}
				name := fmt.Sprintf("%s, %v, %d passes", c.name, l, passes)
				got, err := scoresOf(rkhs.Weighted{Matrix: x, Weights: w}, y, c.labels, o)
				want, other := scoresOf(manyX, manyY, c.labels, o)
				if errors.Is(err, rkhs.ErrOption) && errors.Is(other, rkhs.ErrOption) {
					continue // the loss has no Revisit mode
				}
				if err = errors.Join(err, other); err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
					t.Fatal(name, err)
				}
				var off mat.Dense
				off.Sub(got, want)
				if e, size := mat.Norm(&off, math.Inf(1)), mat.Norm(want, math.Inf(1)); !(e < 2e-4*size) {
					t.Errorf("%s: scores differ by %.3g, of %.3g", name, e, size)
				}
			}
		}
	}
}

// scoresOf returns the predictions of a fit at some of the rows.
func scoresOf(x mat.Matrix, y *mat.Dense, labels bool, o *doublysgd.Options) (*mat.Dense, error) {
	at := mat.NewDense(20, 3, nil)
	at.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + j)) }, at)
	if labels {
		c, err := doublysgd.FitClassifier(context.Background(), x, y, o)
		if c == nil {
			return nil, err
		}
		f, wrong := c.Scores(at)
		return f, errors.Join(err, wrong)
	}
	m, err := doublysgd.Fit(context.Background(), x, y, o)
	if m == nil {
		return nil, err
	}
	f, wrong := m.Predict(at)
	return f, errors.Join(err, wrong)
}

// TestWeightsOfSteps checks that weights count in sampled steps. Half of the rows belong to
// another function and have a negligible weight.
func TestWeightsOfSteps(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(5, 6))
	x, y, w := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	truth := func(row []float64) float64 { return math.Sin(row[0]) + row[1] }
	for i := range n {
		row, sign := x.RawRowView(i), 1.0
		row[0], row[1], w[i] = r.NormFloat64(), r.NormFloat64(), 1
		if i%2 == 0 {
			sign, w[i] = -1, 1e-3
		}
		y.Set(i, 0, sign*truth(row)+0.1*r.NormFloat64())
	}
	rows := rkhs.Weighted{Matrix: x, Weights: w}
	for _, mode := range []doublysgd.Mode{doublysgd.Revisit, doublysgd.Newton, doublysgd.Plain} {
		o := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Paper: doublysgd.Paper{Mode: mode, Columns: 64}}
		if mode == doublysgd.Plain {
			o.Batch, o.Passes = 32, 5
		}
		m, err := doublysgd.Fit(context.Background(), rows, y, o)
		if err != nil {
			t.Fatal(mode, err)
		}
		check(t, mode.String(), m, x, truth)
		if mode == doublysgd.Revisit {
			continue
		}
		o.Passes = 0
		l, err := doublysgd.NewLearner(o)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < n; from += 500 {
			if err := l.Update(rkhs.Weighted{Matrix: x.Slice(from, from+500, 0, 2), Weights: w[from : from+500]}, y.Slice(from, from+500, 0, 1)); err != nil {
				t.Fatal(mode, err)
			}
		}
		if m, err = l.Model(context.Background()); err != nil {
			t.Fatal(mode, err)
		}
		check(t, "learner, "+mode.String(), m, x, truth)
	}
}

func check(t *testing.T, name string, m *doublysgd.Model, x *mat.Dense, truth func([]float64) float64) {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := x.Dims()
	sum := 0.0
	for i := range n {
		sum += math.Pow(p.At(i, 0)-truth(x.RawRowView(i)), 2) / float64(n)
	}
	if !(math.Sqrt(sum) < 0.3) { // the other function differs by 2.4
		t.Errorf("%s: RMSE %.3g", name, math.Sqrt(sum))
	}
}

// TestWeightedQuantiles checks that quantiles cover the fraction of the weights. Large targets
// have nine times the weight, so more of them are below the quantile.
func TestWeightedQuantiles(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(7, 8))
	x, y, w := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x.Set(i, 0, r.NormFloat64())
		noise := r.NormFloat64()
		y.Set(i, 0, x.At(i, 0)+math.Exp(noise))
		w[i] = 1
		if noise > 0 {
			w[i] = 9
		}
	}
	taus := []float64{0.05, 0.5, 0.95}
	o := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-4, Features: 128, Quantiles: taus, Paper: doublysgd.Paper{Columns: 64}}
	q, err := doublysgd.Fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := q.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	for k, tau := range taus {
		below, all := 0.0, 0.0
		for i := range n {
			all += w[i]
			if y.At(i, 0) <= p.At(i, k) {
				below += w[i]
			}
		}
		if math.Abs(below/all-tau) > 0.02 {
			t.Errorf("the quantile of %v covers %v of the weights", tau, below/all)
		}
	}
}
