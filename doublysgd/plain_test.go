package doublysgd

import (
	"context"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// kernelRidge returns the scores at rows x of the minimiser of half the mean squared loss plus
// (nu/2)·‖f‖² in the space of k, with a free constant.
func kernelRidge(t *testing.T, k kernel.Kernel, x compute.Matrix, y *mat.Dense, nu float64) compute.Matrix {
	t.Helper()
	n := x.Rows
	values := compute.NewMatrix(n, n)
	gram.Evaluator{Kernel: k}.Gram(values, x)
	a, g := mat.NewDense(n+1, n+1, nil), mat.NewDense(n, n, values.Data)
	right := mat.NewDense(n+1, 1, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, g.At(i, j))
		}
		a.Set(i, i, a.At(i, i)+nu*float64(n))
		a.Set(i, n, 1)
		a.Set(n, i, 1)
		right.Set(i, 0, y.At(i, 0))
	}
	var c, f mat.Dense
	if err := c.Solve(a, right); err != nil {
		t.Fatal(err)
	}
	f.Mul(g, c.Slice(0, n, 0, 1))
	f.Apply(func(_, _ int, v float64) float64 { return v + c.At(n, 0) }, &f)
	return f.RawMatrix()
}

// TestRate runs Algorithm 1 with new features in each step. The mean squared error to the exact
// solution over several runs must decrease like 1/t.
func TestRate(t *testing.T) {
	testutil.Long(t, "376,000 steps; TestPlainLosses covers the code")
	const n, columns, batch, runs = 200, 32, 16, 6
	k := kernel.Gaussian{Sigma: 1.5}
	x, y := waves(n, 0.2, 6)
	for _, nu := range []float64{1e-2, 1e-3} {
		exact := kernelRidge(t, k, x.RawMatrix(), y, nu)
		times := []int{1000, 2000, 4000, 8000, 16000}
		errors := make([]float64, len(times))
		for run := range runs {
			for i, e := range runPlain(t, k, x.RawMatrix(), y.RawMatrix(), exact, nu, columns, batch, uint64(run), times) {
				errors[i] += e / runs
			}
		}
		if s := slope(times, errors); s < -1.15 || s > -0.85 {
			t.Errorf("nu = %v: slope %.3f, errors %.3g", nu, s, errors)
		} else {
			t.Logf("nu = %v: slope %.3f, errors %.3g", nu, s, errors)
		}
	}
}

// runPlain returns the mean squared error of the last iterate after each number of steps.
func runPlain(t *testing.T, k kernel.Kernel, x, y, exact compute.Matrix, nu float64, columns, batch int, seed uint64, times []int) (errors []float64) {
	t.Helper()
	c := descent.Config{Ridge: nu, LastIterate: true, Features: 1 << 30, Columns: columns, Seed: seed}
	zero, err := c.Zero(k, x.Cols, 1, columns)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Start(zero, columns, 0)
	p.Measure(compute.DensePoints(x), 1, columns, batch)
	f := compute.NewMatrix(x.Rows, 1)
	draw := rng.New(seed, "rows", 0)
	for step := 1; len(errors) < len(times); step++ {
		rows := make([]int, batch)
		for i := range rows {
			rows[i] = draw.IntN(x.Rows)
		}
		target := &descent.Risk{Scalar: loss.Squared{}, Y: compute.Pick(y, rows)}
		move := p.Plain(descent.Sample{X: compute.DensePoints(compute.Pick(x, rows)), Risk: target, Scores: compute.Pick(f, rows)})
		if err := p.Apply(move); err != nil {
			t.Fatal(err)
		}
		p.Follow(move, f, compute.DensePoints(x))
		if step == times[len(errors)] {
			e := 0.0
			for i, v := range f.Data {
				e += (v - exact.Data[i]) * (v - exact.Data[i]) / float64(x.Rows)
			}
			errors = append(errors, e)
		}
	}
	return errors
}

// slope returns the slope of a least-squares line in log-log coordinates.
func slope(x []int, y []float64) float64 {
	var mx, my, xx, xy float64
	n := float64(len(x))
	for i := range x {
		mx += math.Log(float64(x[i])) / n
		my += math.Log(y[i]) / n
	}
	for i := range x {
		d := math.Log(float64(x[i])) - mx
		xx += d * d
		xy += d * (math.Log(y[i]) - my)
	}
	return xy / xx
}

// TestPlainLosses compares Plain mode with Revisit mode for the hinge loss, in long tests for a loss
// of each kind, and for all losses with RKHS_PAPERS.
func TestPlainLosses(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := waves(300, 0.3, 3)
	signs := mat.NewDense(300, 1, nil)
	signs.Apply(func(i, _ int, _ float64) float64 { return math.Copysign(1, y.At(i, 0)) }, signs)
	losses := []loss.Loss{loss.Hinge{}}
	if testutil.LongTests() {
		losses = append(losses, loss.Pinball{Tau: 0.9}, loss.Softmax{})
	}
	if os.Getenv("RKHS_PAPERS") != "" {
		losses = append(losses, loss.Squared{}, loss.Huber{Delta: 0.5}, loss.Absolute{}, loss.EpsilonInsensitive{Epsilon: 0.1},
			loss.SquaredHinge{}, loss.Logistic{})
	}
	for _, l := range losses {
		score := func(o Options) mat.Matrix {
			o.Kernel, o.Ridge, o.Columns, o.Features, o.Loss = kernel.Gaussian{Sigma: 1.5}, 1e-2, 64, 256, l
			var f *mat.Dense
			var err error
			if _, multi := l.(loss.Multiclass); multi || loss.Margin(l) {
				var c *Classifier
				if c, err = FitClassifier(context.Background(), x, signs, &o); err == nil {
					f, err = c.Scores(x)
				}
			} else {
				var m *Model
				if m, err = Fit(context.Background(), x, y, &o); err == nil {
					f, err = m.Predict(x)
				}
			}
			if err != nil {
				t.Fatalf("%v: %v", l, err)
			}
			return f
		}
		exact := score(Options{Tolerance: 1e-5, Paper: Paper{Passes: 5000, Precision: Double}})
		d := distance(score(Options{Paper: Paper{Mode: Plain, Batch: 32, Passes: 800}}), exact)
		if !(d <= 0.03) {
			t.Errorf("%v: relative error %.4f", l, d)
		} else {
			t.Logf("%v: relative error %.4f", l, d)
		}
	}
}
