package gp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestGPMeanOfPredictions checks that predictions at the training rows average to the
// targets, for any options and after any number of iterations.
func TestGPMeanOfPredictions(t *testing.T) {
	x, y := smooth(300, 1)
	y.AddScaledVec(y, 1, scaledOnes(300, 1000))
	both := mat.NewDense(300, 2, nil)
	for i := range 300 {
		both.SetRow(i, []float64{y.AtVec(i), math.Exp(y.AtVec(i) - 1000)})
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		opts *gp.Options
		err  error
	}{
		{"default", context.Background(), nil, nil},
		{"kernel", context.Background(), &gp.Options{Kernel: kernel.Laplacian{Sigma: 2}, Centres: 10}, nil},
		{"few iterations", context.Background(), &gp.Options{Kernel: kernel.Gaussian{Sigma: 2}, Centres: 10, Iterations: 2, Tolerance: 1e-9}, rkhs.ErrNotConverged},
		{"cancelled", cancelled, nil, context.Canceled},
	} {
		m, err := gp.Fit(c.ctx, x, both, c.opts)
		if !errors.Is(err, c.err) {
			t.Fatalf("%s: error %v, want %v", c.name, err, c.err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		for o := range 2 {
			got, want := mat.Sum(p.ColView(o))/300, mat.Sum(both.ColView(o))/300
			if d := math.Abs(got/want - 1); !(d < 1e-6) {
				t.Errorf("%s, output %d: predictions of mean %v for targets of mean %v", c.name, o, got, want)
			}
		}
	}
}

func scaledOnes(n int, by float64) *mat.VecDense {
	v := mat.NewVecDense(n, nil)
	for i := range n {
		v.SetVec(i, by)
	}
	return v
}

// TestGPStoppedIsUsable checks that a fit stopped during its search predicts from the
// landmarks, and better than a constant.
func TestGPStoppedIsUsable(t *testing.T) {
	x, y := smooth(500, 1)
	test, values := smooth(200, 2)
	stop := errors.New("stop here")
	m, err := gp.Fit(context.Background(), x, y, &gp.Options{Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Phase != "search" || p.Total == 0 {
			t.Errorf("the first report is %+v, want one of the search", p)
		}
		return stop
	})})
	if !errors.Is(err, stop) || !m.Report().Search.Stopped {
		t.Fatalf("error %v, want %v", err, stop)
	}
	mean := mat.Sum(y) / 500
	if got, none := rmse(predicted(t, m, test), values), rmse(scaledOnes(200, mean), values); got > 0.9*none {
		t.Errorf("error %.3f, of the mean of the targets %.3f", got, none)
	}
}

func predicted(t *testing.T, m *gp.Model, x mat.Matrix) mat.Vector {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p.ColView(0)
}

func rmse(p, y mat.Vector) float64 {
	var d mat.VecDense
	d.SubVec(p, y)
	return mat.Norm(&d, 2) / math.Sqrt(float64(y.Len()))
}

// TestGPUnits checks that units and shifts of the columns do not change the error.
func TestGPUnits(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := smooth(400, 1)
	test, values := smooth(300, 2)
	want := rmse(predicted(t, fitGP(t, x, y, nil), test), values)
	for _, c := range []struct {
		name  string
		units []float64
		shift float64 // in units of the spread
	}{
		{"wild units", []float64{1e6, 1e-6, 1e3, 1, 1e-2, 1e5, 1e-4, 10}, 0},
		{"wild units and shifts", []float64{1e-3, 1e6, 1, 1e-5, 1e2, 1e4, 1e-6, 1e5}, 1e4},
	} {
		move := func(_, j int, v float64) float64 { return c.units[j] * (v + c.shift) }
		var a, b mat.Dense
		a.Apply(move, x)
		b.Apply(move, test)
		if got := rmse(predicted(t, fitGP(t, &a, y, nil), &b), values); math.Abs(got/want-1) > 0.02 {
			t.Errorf("%s: error %.4f, in good units %.4f", c.name, got, want)
		}
	}
}

// TestGPTables compares the default with kernel ridge regression tuned by cross-validation
// over a grid of 42, and checks the coverage of intervals. Some tables have residuals with
// heavy tails, for which more than 68 % are within one standard deviation.
func TestGPTables(t *testing.T) {
	folder, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	testutil.Long(t, "it is about figures")
	const rows, tests, splits = 500, 500, 2
	for _, name := range []string{"abalone", "boston", "concrete", "kin8nm", "ccpp", "elevators"} {
		set, err := dataset.Load(filepath.Join(folder, name+".csv.gz"), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs, one, two := 0.0, 0.0, 0.0, 0.0
		for split := range uint64(splits) {
			order := rand.New(rand.NewPCG(split, 11)).Perm(len(set.Y))
			n := min(rows, 2*len(order)/3)
			x, y := picked(set, order[:n])
			test, values := picked(set, order[n:min(n+tests, len(order))])
			g := fitGP(t, x, y, &gp.Options{Seed: split})
			variance, noise := varianceOf(t, g, test), g.Noise()[0]
			mean, err := g.Predict(test)
			if err != nil {
				t.Fatal(err)
			}
			ours += rmse(mean.ColView(0), values) / splits
			theirs += rmse(tunedRidge(x, y, test), values) / splits
			one += covered(values, mean, variance, noise, 1) / splits
			two += covered(values, mean, variance, noise, 1.96) / splits
		}
		t.Logf("%s: error %.4g, of tuned ridge regression %.4g; %.3f and %.3f of the values in the intervals of 68 and 95 %%", name, ours, theirs, one, two)
		if ours > 1.02*theirs {
			t.Errorf("%s: error %.4g, of tuned ridge regression %.4g", name, ours, theirs)
		}
		if one < 0.63 || one > 0.83 || two < 0.91 || two > 0.975 {
			t.Errorf("%s: %.3f and %.3f of the values are in the intervals of 68 and 95 %%", name, one, two)
		}
	}
}

func picked(set *dataset.Set, rows []int) (*mat.Dense, *mat.VecDense) {
	_, d := set.X.Dims()
	x, y := mat.NewDense(len(rows), d, nil), mat.NewVecDense(len(rows), nil)
	for i, r := range rows {
		x.SetRow(i, set.X.RawRowView(r))
		y.SetVec(i, set.Y[r])
	}
	return x, y
}

// tunedRidge predicts by kernel ridge regression on standardised columns. It selects the
// bandwidth and the ridge by five-fold cross-validation.
func tunedRidge(x *mat.Dense, y *mat.VecDense, test *mat.Dense) mat.Vector {
	a, b := mat.DenseCopyOf(x), mat.DenseCopyOf(test)
	_, err1 := dataset.Standardize(a, b)
	median, err2 := kernel.MedianDistance(a, 0)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	least, sigma, noise := math.Inf(1), 0.0, 0.0
	for _, multiple := range []float64{0.25, 0.5, 1, 2, 4, 8} {
		for exponent := -6; exponent <= 0; exponent++ {
			if e := foldsError(kernel.Gaussian{Sigma: multiple * median}, math.Pow10(exponent), a, y); e < least {
				least, sigma, noise = e, multiple*median, math.Pow10(exponent)
			}
		}
	}
	return ridge(kernel.Gaussian{Sigma: sigma}, noise, a, y, b)
}

func foldsError(k kernel.Kernel, noise float64, x *mat.Dense, y *mat.VecDense) float64 {
	const folds = 5
	n, d := x.Dims()
	sum := 0.0
	for fold := range folds {
		var in, out []int
		for i := range n {
			if i%folds == fold {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		pick := func(rows []int) (*mat.Dense, *mat.VecDense) {
			a, b := mat.NewDense(len(rows), d, nil), mat.NewVecDense(len(rows), nil)
			for i, r := range rows {
				a.SetRow(i, x.RawRowView(r))
				b.SetVec(i, y.AtVec(r))
			}
			return a, b
		}
		a, b := pick(in)
		test, values := pick(out)
		e := rmse(ridge(k, noise, a, b, test), values)
		sum += e * e
	}
	return sum
}

// ridge predicts by kernel ridge regression on centred targets.
func ridge(k kernel.Kernel, noise float64, x *mat.Dense, y *mat.VecDense, test *mat.Dense) mat.Vector {
	var gram mat.SymDense
	var cross mat.Dense
	if err := errors.Join(kernel.Gram(&gram, k, x), kernel.Cross(&cross, k, test, x)); err != nil {
		panic(err)
	}
	n, _ := x.Dims()
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+noise)
	}
	tests, _ := test.Dims()
	mean := mat.Sum(y) / float64(n)
	p, z := mat.NewVecDense(tests, nil), mat.NewVecDense(n, nil)
	z.SubVec(y, scaledOnes(n, mean))
	var c mat.Cholesky
	if !c.Factorize(&gram) || c.SolveVecTo(z, z) != nil {
		return scaledOnes(tests, mean)
	}
	p.MulVec(&cross, z)
	p.AddVec(p, scaledOnes(tests, mean))
	return p
}
