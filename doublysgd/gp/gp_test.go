package gp_test

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// wave draws the regression of section 7.1 of the paper: rows uniform in [−5, 5]² and
// y = cos(π‖x‖/2)·exp(−π‖x‖/10) with noise of standard deviation .1.
func wave(n int, seed uint64) (x *mat.Dense, y *mat.VecDense) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y = mat.NewDense(n, 2, nil), mat.NewVecDense(n, nil)
	for i := range n {
		a, b := 10*r.Float64()-5, 10*r.Float64()-5
		x.SetRow(i, []float64{a, b})
		s := math.Hypot(a, b)
		y.SetVec(i, math.Cos(math.Pi/2*s)*math.Exp(-math.Pi/10*s)+0.1*r.NormFloat64())
	}
	return x, y
}

// exactPosterior solves for mean and variance in the plain way.
func exactPosterior(t testing.TB, k kernel.Kernel, noise float64, x, y, test mat.Matrix) (mean, variance *mat.Dense) {
	t.Helper()
	var gram mat.SymDense
	var cross, alpha, beta mat.Dense
	var diag mat.VecDense
	for _, err := range []error{kernel.Gram(&gram, k, x), kernel.Cross(&cross, k, test, x), kernel.Diag(&diag, k, test)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	n, _ := x.Dims()
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+noise)
	}
	var c mat.Cholesky
	if !c.Factorize(&gram) {
		t.Fatal("the Gram matrix is not positive definite")
	}
	if err := c.SolveTo(&alpha, y); err != nil {
		t.Fatal(err)
	}
	if err := c.SolveTo(&beta, cross.T()); err != nil {
		t.Fatal(err)
	}
	mean, variance = new(mat.Dense), mat.NewDense(diag.Len(), 1, nil)
	mean.Mul(&cross, &alpha)
	for j := range diag.Len() {
		variance.Set(j, 0, diag.AtVec(j)-mat.Dot(cross.RowView(j), beta.ColView(j)))
	}
	return mean, variance
}

func relativeError(got, want mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(got, want)
	return mat.Norm(&d, 2) / mat.Norm(want, 2)
}

func fitGP(t testing.TB, x, y, test mat.Matrix, o *gp.Options) *gp.Model {
	t.Helper()
	g, err := doublysgd.FitGP(context.Background(), x, y, test, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// posteriorErrors returns the relative errors of mean and variance against the exact
// posterior.
func posteriorErrors(t testing.TB, rows int, o *gp.Options) (mean, variance float64, g *gp.Model) {
	t.Helper()
	x, y := wave(rows, 1)
	test, _ := wave(100, 2)
	g = fitGP(t, x, y, test, o)
	wantMean, wantVariance := exactPosterior(t, o.Kernel, o.Noise, x, y, test)
	got, err := g.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	return relativeError(got, wantMean), relativeError(variance(t, g, test), wantVariance), g
}

// The setting of section 7.2 of the paper, with its bandwidth, the median distance, and
// with priors that are less smooth, of the last of which centres know almost nothing.
func TestGPAgainstExactPosterior(t *testing.T) {
	rows := 2000
	if testing.Short() {
		rows = 300
	}
	x, _ := wave(rows, 1)
	median, err := kernel.MedianDistance(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []gp.Options{
		{Kernel: kernel.Gaussian{Sigma: median}, Noise: 0.01},
		{Kernel: kernel.Gaussian{Sigma: median / 10}, Noise: 0.01, MaxPoints: 300, CacheSize: 1},
		{Kernel: kernel.Matern{Nu: 1.5, Length: 0.2}, Noise: 0.1, MaxPoints: 10},
	} {
		o.Literal = true
		mean, variance, g := posteriorErrors(t, rows, &o)
		t.Logf("%v: relative error of the mean %.2g, of the variance %.2g; %+v", o.Kernel, mean, variance, g.Report())
		// The bound of the mean is one over rows of the data, and these are others.
		if mean > 0.002 || variance > 0.001 {
			t.Errorf("%v: relative error of the mean %.2g, of the variance %.2g", o.Kernel, mean, variance)
		}
	}
}

// smooth draws rows of eight columns and a smooth function of them with noise of standard
// deviation .1.
func smooth(n int, seed uint64) (x *mat.Dense, y *mat.VecDense) {
	r := rand.New(rand.NewPCG(seed, 8))
	x, y = mat.NewDense(n, 8, nil), mat.NewVecDense(n, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		y.SetVec(i, 3+math.Sin(row[0]+row[1])+math.Cos(row[2]*row[3])+row[4]/2+0.1*r.NormFloat64())
	}
	return x, y
}

// With nothing given the fit ends at the posterior of the process that it has found, of
// which centres leave much in eight columns.
func TestGPDefaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	const n, tests = 2000, 50
	x, y := smooth(n, 1)
	test, _ := smooth(tests, 2)
	g := fitGP(t, x, y, test, nil)
	amplitude, noise, offset := g.Amplitude()[0], g.Noise()[0], mat.Sum(y)/n
	var centred, mean mat.Dense
	centred.Apply(func(_, _ int, v float64) float64 { return v - offset }, y)
	want, variance := exactPosterior(t, g.Kernel(), noise/amplitude, x, &centred, test)
	variance.Scale(amplitude, variance)
	got, err := g.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	mean.Apply(func(_, _ int, v float64) float64 { return v - offset }, got)
	a, b := relativeError(&mean, want), relativeError(variance(t, g, test), variance)
	t.Logf("relative error of the mean %.2g, of the variance %.2g; %v, %+v", a, b, g.Kernel(), g.Report())
	// The bound of the mean is one over rows of the data, and these are others.
	if r := g.Report(); r.Status != rkhs.Converged || a > 0.002 || b > 0.001 {
		t.Errorf("relative error of the mean %.2g, of the variance %.2g; %+v", a, b, r)
	}
}

// triangle is a kernel of the line that has nothing but its values.
type triangle struct{}

func (triangle) Eval(x, y []float64) float64 { return max(0, 1-math.Abs(x[0]-y[0])) }
func (triangle) String() string              { return "triangle" }

// A kernel needs no features.
func TestGPOfAnyKernel(t *testing.T) {
	both, y := wave(300, 1)
	x := both.Slice(0, 300, 0, 1)
	mean, variance := exactPosterior(t, triangle{}, 0.1, x, y, x)
	g := fitGP(t, x, y, x, &gp.Options{Kernel: triangle{}, Literal: true, Noise: 0.1, MaxPoints: 20})
	got, err := g.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := relativeError(got, mean), relativeError(variance(t, g, test), variance); a > 0.001 || b > 0.001 {
		t.Errorf("relative error of the mean %.2g, of the variance %.2g", a, b)
	}
}

// The error in the report bounds that of the mean over the rows of the data, and that
// of each variance, wherever the iteration ends.
func TestGPErrorIsABound(t *testing.T) {
	x, y := wave(600, 1)
	test, _ := wave(50, 2)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.7}, kernel.Laplacian{Sigma: 1}} {
		mean, _ := exactPosterior(t, k, 0.01, x, y, x)
		_, variance := exactPosterior(t, k, 0.01, x, y, test)
		for _, iterations := range []int{2, 5, 10, 15} {
			o := gp.Options{Kernel: k, Literal: true, Noise: 0.01, MaxPoints: 60, Iterations: iterations, Tolerance: 1e-9}
			alone, err := doublysgd.FitGP(context.Background(), x, y, nil, &o)
			if !errors.Is(err, rkhs.ErrNotConverged) || alone.Report().Status != rkhs.IterationLimit {
				t.Fatalf("%d iterations: %v", iterations, err)
			}
			got, err := alone.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			if e := relativeError(got, mean); e > alone.Report().Error {
				t.Errorf("%v, %d iterations: relative error %.3g of the mean, the bound is %.3g", k, iterations, e, alone.Report().Error)
			}
			both, err := doublysgd.FitGP(context.Background(), x, y, test, &o)
			if !errors.Is(err, rkhs.ErrNotConverged) {
				t.Fatal(err)
			}
			for j := range 50 {
				got, want := both.Variance().At(j, 0), variance.At(j, 0)
				if got < want*(1-1e-9) || got-want > both.Report().Error*got {
					t.Errorf("%v, %d iterations: variance %.6g, want %.6g from below, within %.3g", k, iterations, got, want, both.Report().Error)
				}
			}
		}
	}
}

// Noise that is lost beside the kernel is an error. Close to that the tolerance may be
// out of reach, which the fit says, and the mean is no larger than the targets.
func TestGPLittleNoise(t *testing.T) {
	x, y := wave(300, 1)
	for exponent := -8; exponent >= -20; exponent-- {
		noise := math.Pow10(exponent)
		g, err := doublysgd.FitGP(context.Background(), x, y, nil, &gp.Options{Kernel: kernel.Gaussian{Sigma: 3}, Literal: true, Noise: noise})
		if lost := noise < 300*0x1p-53; lost || g == nil {
			if !lost || !errors.Is(err, rkhs.ErrDiverged) || g != nil {
				t.Errorf("noise %v: %v, model %v", noise, err, g != nil)
			}
			continue
		}
		if r := g.Report(); (err == nil) != (r.Error <= 0.001) || (err == nil) != (r.Status == rkhs.Converged) || r.Error > 0.05 {
			t.Errorf("noise %v: %v; %+v", noise, err, r)
		}
		p, err := g.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if size := mat.Norm(p, 2) / mat.Norm(y, 2); size > 1 || size < 0.9 {
			t.Errorf("noise %v: the mean has %.3g of the norm of the targets", noise, size)
		}
	}
}

// The noise and the bandwidth that are found must be near those that the data were
// drawn with, at any scale of data and targets.
func TestGPFindsNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, y := wave(800, 3)
	for _, scale := range []struct{ x, y float64 }{{1, 1}, {1e-3, 1e3}, {1e3, 1e-3}} {
		var sx, sy mat.Dense
		sx.Scale(scale.x, x)
		sy.Scale(scale.y, y)
		g := fitGP(t, &sx, &sy, nil, nil)
		if s := math.Sqrt(g.Noise()[0]) / scale.y; s < 0.07 || s > 0.13 {
			t.Errorf("x × %g, y × %g: the noise has standard deviation %.3f, want .1", scale.x, scale.y, s)
		}
	}
}

// Intervals of the prediction must hold as many values as they say, and the noise that
// is given is taken as it is.
func TestGPCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, y := wave(1000, 3)
	test, values := wave(500, 4)
	for _, noise := range []float64{0, 0.01} {
		g := fitGP(t, x, y, test, &gp.Options{Noise: noise})
		mean, err := g.Predict(test)
		if err != nil {
			t.Fatal(err)
		}
		inside := 0.0
		for i := range 500 {
			if math.Abs(values.AtVec(i)-mean.At(i, 0)) < 1.96*math.Sqrt(variance(t, g, test).At(i, 0)+g.Noise()[0]) {
				inside++
			}
		}
		if inside/500 < 0.91 || inside/500 > 0.985 {
			t.Errorf("noise %v: %.3f of the values are in the intervals of 95 %%", noise, inside/500)
		}
		if s := g.Noise()[0]; noise > 0 && math.Abs(s/noise-1) > 1e-12 {
			t.Errorf("the noise is %v, want %v", s, noise)
		}
	}
}

// Several columns are several processes with one ratio of noise to amplitude.
func TestGPColumns(t *testing.T) {
	x, y := wave(300, 5)
	test, _ := wave(20, 6)
	both := mat.NewDense(300, 2, nil)
	both.SetCol(0, y.RawVector().Data)
	for i := range 300 {
		both.Set(i, 1, 5-20*y.AtVec(i))
	}
	one, two := fitGP(t, x, y, test, nil), fitGP(t, x, both, test, nil)
	m1, err1 := one.Predict(test)
	m2, err2 := two.Predict(test)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		for _, c := range []struct{ got, want float64 }{
			{m2.At(i, 0), m1.At(i, 0)}, {m2.At(i, 1), 5 - 20*m1.At(i, 0)},
			{two.Variance().At(i, 0), one.Variance().At(i, 0)}, {two.Variance().At(i, 1), 400 * one.Variance().At(i, 0)},
		} {
			if math.Abs(c.got-c.want) > 1e-6*(1+math.Abs(c.want)) {
				t.Fatalf("row %d: %v, want %v", i, c.got, c.want)
			}
		}
	}
}

func TestGPContract(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs int
		opts    *gp.Options
	}{
		{"default", 1, nil},
		{"few centres", 2, &gp.Options{MaxPoints: 20, CacheSize: 1}},
		{"literal", 1, &gp.Options{Kernel: kernel.Laplacian{Sigma: 3}, Literal: true, Noise: 0.01}},
	} {
		if testing.Short() && c.opts == nil {
			continue // the longest, of the same code
		}
		t.Run(c.name, func(t *testing.T) {
			l := testutil.Learner[gp.Options, *gp.Model]{
				Package: "doublysgd",
				Fit: func(ctx context.Context, x, y mat.Matrix, o *gp.Options) (*gp.Model, error) {
					return doublysgd.FitGP(ctx, x, y, nil, o)
				},
				Empty: func() *gp.Model { return new(gp.Model) },
				Common: func(o *gp.Options, seed uint64, workers int, r rkhs.Recorder) {
					o.Seed, o.Workers, o.Recorder = seed, workers, r
				},
				Limit: func(o *gp.Options) {
					o.Kernel, o.MaxPoints, o.Iterations, o.Tolerance = kernel.Gaussian{Sigma: 1}, 5, 2, 1e-6
				},
				Outputs:      c.outputs,
				Equivariance: 1e-9,
			}
			if c.opts != nil {
				l.Options = func() *gp.Options { o := *c.opts; return &o }
				l.Limit = nil
			}
			if c.opts != nil && c.opts.Literal {
				l.Equivariance = 0
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestGPRefuses(t *testing.T) {
	x, y := wave(30, 1)
	two := mat.NewDense(30, 2, nil)
	bad := mat.NewDense(3, 2, nil)
	bad.Set(1, 1, math.NaN())
	var large mat.Dense
	large.Scale(1e200, y)
	for _, c := range []struct {
		name    string
		y, test mat.Matrix
		opts    gp.Options
		want    error
	}{
		{"large", &large, nil, gp.Options{Literal: true, Noise: 1}, rkhs.ErrDiverged},
		{"large", &large, nil, gp.Options{Literal: true}, rkhs.ErrDiverged},
		{"noise below 0", y, nil, gp.Options{Noise: -1}, rkhs.ErrOption},
		{"noise not a number", y, nil, gp.Options{Noise: math.NaN()}, rkhs.ErrOption},
		{"noise of two columns", two, nil, gp.Options{Noise: 1}, rkhs.ErrOption},
		{"tolerance", y, nil, gp.Options{Tolerance: 1}, rkhs.ErrOption},
		{"iterations", y, nil, gp.Options{Iterations: -1}, rkhs.ErrOption},
		{"centres", y, nil, gp.Options{MaxPoints: -1}, rkhs.ErrOption},
		{"kernel", y, nil, gp.Options{Kernel: kernel.Gaussian{Sigma: -1}}, rkhs.ErrOption},
		{"domain", y, nil, gp.Options{Kernel: kernel.Intersection{}}, rkhs.ErrDomain},
		{"memory", y, nil, gp.Options{MemoryLimit: 1000}, rkhs.ErrMemory},
		{"test columns", y, mat.NewDense(3, 3, nil), gp.Options{}, rkhs.ErrShape},
		{"test not finite", y, bad, gp.Options{}, rkhs.ErrNotFinite},
		{"test empty", y, &mat.Dense{}, gp.Options{}, rkhs.ErrEmpty},
	} {
		g, err := doublysgd.FitGP(context.Background(), x, c.y, c.test, &c.opts)
		if !errors.Is(err, c.want) || g != nil {
			t.Errorf("%s: error %v, want %v; model %v", c.name, err, c.want, g)
		}
	}
}

// The variance is part of what a file holds and of what does not depend on the number
// of workers, and a fit that is cancelled says that it knows nothing of it.
func TestGPVariance(t *testing.T) {
	x, y := wave(300, 1)
	test, _ := wave(300, 2) // more than are solved for together
	o := gp.Options{Kernel: kernel.Gaussian{Sigma: 1}, Literal: true, Noise: 0.1, MaxPoints: 30, Workers: 1}
	g := fitGP(t, x, y, test, &o)
	o.Workers = 3
	if !mat.Equal(variance(t, g, test), fitGP(t, x, y, test, &o).Variance()) {
		t.Error("the variance depends on the number of workers")
	}
	data, err := g.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var loaded gp.Model
	if err := loaded.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(loaded.Variance(), variance(t, g, test)) || loaded.Report() != g.Report() || loaded.Noise()[0] != g.Noise()[0] {
		t.Error("the file does not hold variance, report and noise")
	}
	stop := io.ErrUnexpectedEOF
	o.Recorder = rkhs.RecorderFunc(func(rkhs.Progress) error { return stop })
	cut, err := doublysgd.FitGP(context.Background(), x, y, test, &o)
	if !errors.Is(err, stop) || cut.Report().Status != rkhs.Stopped {
		t.Fatalf("error %v, want %v", err, stop)
	}
	for i := range 300 {
		if v := cut.Variance().At(i, 0); v != 1 {
			t.Fatalf("row %d: variance %v after a fit that was stopped, want that of the prior", i, v)
		}
	}
}
