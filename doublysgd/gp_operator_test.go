package doublysgd_test

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
)

func operatorVariance(t *testing.T, x, test mat.Matrix, o doublysgd.VarianceOptions) *mat.Dense {
	t.Helper()
	op, err := doublysgd.FitVarianceOperator(context.Background(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := op.Variance(test)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The mean over many seeds is the variance of the posterior. With one set of features
// in place of two it is some 50 standard errors below.
func TestVarianceOperatorHasNoBias(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	const n, tests, seeds = 20, 4, 300
	x, _ := wave(n, 1)
	test, _ := wave(tests, 2)
	o := doublysgd.VarianceOptions{Kernel: kernel.Gaussian{Sigma: 3}, Noise: n, Features: 320, Columns: 8, Batch: 4, Workers: 1}
	_, want := exactPosterior(t, o.Kernel, n, x, mat.NewDense(n, 1, nil), test)
	var values [tests][]float64
	for o.Seed = range seeds {
		v := operatorVariance(t, x, test, o)
		for j := range tests {
			values[j] = append(values[j], v.At(j, 0))
		}
	}
	for j, v := range values {
		mean, deviation := stat.MeanStdDev(v, nil)
		if standard := deviation / math.Sqrt(seeds); !(math.Abs(mean-want.At(j, 0)) < 5*standard) || standard > 0.002 {
			t.Errorf("row %d: mean %.5f ± %.5f, want %.5f", j, mean, standard, want.At(j, 0))
		}
	}
}

// At the default options and high noise a single fit is near the posterior.
func TestVarianceOperatorDefaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, _ := wave(1000, 1)
	test, _ := wave(100, 2)
	k := kernel.Gaussian{Sigma: 5}
	_, want := exactPosterior(t, k, 500, x, mat.NewDense(1000, 1, nil), test)
	got := operatorVariance(t, x, test, doublysgd.VarianceOptions{Kernel: k, Noise: 500})
	var prior mat.Dense
	prior.Apply(func(int, int, float64) float64 { return 1 }, want)
	if e, none := relativeError(got, want), relativeError(&prior, want); e > 0.03 || none < 10*e {
		t.Errorf("relative error %.3g, of the prior %.3g", e, none)
	} else {
		t.Logf("relative error %.3g, of the prior %.3g", e, none)
	}
}

func TestVarianceOperatorContract(t *testing.T) {
	x, _ := wave(50, 1)
	test, _ := wave(2000, 2) // more than are predicted together
	o := doublysgd.VarianceOptions{Noise: 50, Features: 96, Columns: 32, Workers: 1}
	one := operatorVariance(t, x, test, o)
	o.Workers = 3
	if !mat.Equal(one, operatorVariance(t, x, test, o)) {
		t.Error("the variance depends on the number of workers")
	}
	if v := operatorVariance(t, x, test.Slice(1990, 2000, 0, 2), o); !mat.Equal(v, one.Slice(1990, 2000, 0, 1)) {
		t.Error("the variance depends on the other rows")
	}
	stop := io.ErrUnexpectedEOF
	o.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Iteration == 2 {
			return stop
		}
		return nil
	})
	op, err := doublysgd.FitVarianceOperator(context.Background(), x, o)
	if !errors.Is(err, stop) {
		t.Fatalf("error %v, want %v", err, stop)
	}
	if v, err := op.Variance(test); err != nil || mat.Max(v) > 1.5 || mat.Min(v) < -0.5 {
		t.Errorf("error %v, variances from %v to %v after two steps", err, mat.Min(v), mat.Max(v))
	}
	if _, err := op.Variance(mat.NewDense(1, 3, nil)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("error %v, want %v", err, rkhs.ErrShape)
	}
}

// Before the first step the estimate is that of A = 0, the prior.
func TestVarianceOperatorOfNoSteps(t *testing.T) {
	x, _ := wave(50, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k := kernel.Scale{By: 3, Of: kernel.Gaussian{Sigma: 1}}
	op, err := doublysgd.FitVarianceOperator(ctx, x, doublysgd.VarianceOptions{Kernel: k, Noise: 50, Features: 96, Columns: 32})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	v, err := op.Variance(x)
	if err != nil || v.RawMatrix().Rows != 50 || mat.Min(v) != 3 || mat.Max(v) != 3 {
		t.Errorf("error %v, variances %v, want 3 for each row", err, v)
	}
}

func TestVarianceOperatorRefuses(t *testing.T) {
	x, _ := wave(10, 1)
	for _, c := range []struct {
		name string
		x    mat.Matrix
		opts doublysgd.VarianceOptions
		want error
	}{
		{"no noise", x, doublysgd.VarianceOptions{}, rkhs.ErrOption},
		{"noise not a number", x, doublysgd.VarianceOptions{Noise: math.NaN()}, rkhs.ErrOption},
		{"odd columns", x, doublysgd.VarianceOptions{Noise: 1, Columns: 3}, rkhs.ErrOption},
		{"very many features", x, doublysgd.VarianceOptions{Noise: 1, Features: math.MaxInt}, rkhs.ErrOption},
		{"features", x, doublysgd.VarianceOptions{Noise: 1, Features: -1}, rkhs.ErrOption},
		{"kernel", x, doublysgd.VarianceOptions{Noise: 1, Kernel: kernel.Gaussian{Sigma: -1}}, rkhs.ErrOption},
		{"domain", x, doublysgd.VarianceOptions{Noise: 1, Kernel: kernel.Intersection{}}, rkhs.ErrDomain},
		{"memory", x, doublysgd.VarianceOptions{Noise: 1, MemoryLimit: 1000}, rkhs.ErrMemory},
		{"empty", &mat.Dense{}, doublysgd.VarianceOptions{Noise: 1}, rkhs.ErrEmpty},
	} {
		op, err := doublysgd.FitVarianceOperator(context.Background(), c.x, c.opts)
		if !errors.Is(err, c.want) || op != nil {
			t.Errorf("%s: error %v, want %v; operator %v", c.name, err, c.want, op != nil)
		}
	}
}
