package gp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// wave draws the regression problem of section 7.1 of the paper: rows uniform in [−5, 5]²
// and y = cos(π‖x‖/2)·exp(−π‖x‖/10) with noise of standard deviation .1.
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

// exactPosterior computes mean and variance by dense linear algebra, with a constant of
// infinite prior variance unless noConstant is set.
func exactPosterior(t testing.TB, k kernel.Kernel, noise float64, x, y, test mat.Matrix, noConstant bool) (mean, variance *mat.Dense) {
	t.Helper()
	p := newPosterior(t, k, noise, x, noConstant)
	mean, covariance := p.mean(t, y, test), p.covariance(t, test)
	n, _ := covariance.Dims()
	variance = mat.NewDense(n, 1, nil)
	for j := range n {
		variance.Set(j, 0, covariance.At(j, j))
	}
	return mean, variance
}

// posterior is the exact posterior given the rows x.
type posterior struct {
	k          kernel.Kernel
	x          mat.Matrix
	inverse    mat.Dense // of K + s²I
	u          mat.Dense // A⁻¹1, zero without a constant
	sum        float64
	noConstant bool
}

func newPosterior(t testing.TB, k kernel.Kernel, noise float64, x mat.Matrix, noConstant bool) *posterior {
	t.Helper()
	p := &posterior{k: k, x: x, noConstant: noConstant}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, x); err != nil {
		t.Fatal(err)
	}
	n, _ := x.Dims()
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+noise)
	}
	var c mat.Cholesky
	var inverse mat.SymDense
	if !c.Factorize(&gram) {
		t.Fatal("the Gram matrix is not positive definite")
	}
	if err := c.InverseTo(&inverse); err != nil {
		t.Fatal(err)
	}
	p.inverse.CloneFrom(&inverse)
	p.u.Mul(&p.inverse, ones(n))
	p.sum = mat.Sum(&p.u)
	return p
}

func ones(n int) *mat.Dense {
	v := mat.NewDense(n, 1, nil)
	v.Apply(func(int, int, float64) float64 { return 1 }, v)
	return v
}

func (p *posterior) cross(t testing.TB, test mat.Matrix) *mat.Dense {
	t.Helper()
	k := new(mat.Dense)
	if err := kernel.Cross(k, p.k, test, p.x); err != nil {
		t.Fatal(err)
	}
	return k
}

func (p *posterior) mean(t testing.TB, y, test mat.Matrix) *mat.Dense {
	t.Helper()
	var b, z, alpha, mean mat.Dense
	if b.Mul(p.u.T(), y); p.noConstant {
		b.Zero()
	}
	b.Scale(1/p.sum, &b)
	z.Apply(func(_, o int, v float64) float64 { return v - b.At(0, o) }, y)
	alpha.Mul(&p.inverse, &z)
	mean.Mul(p.cross(t, test), &alpha)
	mean.Apply(func(_, o int, v float64) float64 { return v + b.At(0, o) }, &mean)
	return &mean
}

func (p *posterior) covariance(t testing.TB, test mat.Matrix) *mat.Dense {
	t.Helper()
	var covariance, solved, explained, off, more mat.Dense
	if err := kernel.Cross(&covariance, p.k, test, test); err != nil {
		t.Fatal(err)
	}
	cross := p.cross(t, test)
	solved.Mul(cross, &p.inverse)
	explained.Mul(&solved, cross.T())
	covariance.Sub(&covariance, &explained)
	if p.noConstant {
		return &covariance
	}
	n, _ := test.Dims()
	off.Mul(cross, &p.u)
	off.Sub(ones(n), &off)
	more.Mul(&off, off.T())
	more.Scale(1/p.sum, &more)
	covariance.Add(&covariance, &more)
	return &covariance
}

func relativeError(got, want mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(got, want)
	return mat.Norm(&d, 2) / mat.Norm(want, 2)
}

func varianceOf(t testing.TB, g *gp.Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	v, err := g.Variance(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func fitGP(t testing.TB, x, y mat.Matrix, o *gp.Options) *gp.Model {
	t.Helper()
	g, err := gp.Fit(context.Background(), x, y, o)
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
	g = fitGP(t, x, y, o)
	wantMean, wantVariance := exactPosterior(t, o.Kernel, o.Noise, x, y, test, true)
	got, err := g.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	return relativeError(got, wantMean), relativeError(varianceOf(t, g, test), wantVariance), g
}

// TestGPAgainstExactPosterior covers section 7.2 of the paper, with the median distance as
// bandwidth, and less smooth priors. Landmarks explain almost no variance of the last one.
func TestGPAgainstExactPosterior(t *testing.T) {
	rows := 1000
	if !testutil.LongTests() {
		rows = 300
	}
	x, _ := wave(rows, 1)
	median, err := kernel.MedianDistance(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []gp.Options{
		{Kernel: kernel.Gaussian{Sigma: median}, Noise: 0.01},
		{Kernel: kernel.Gaussian{Sigma: median / 10}, Noise: 0.01, Centres: 300, CacheSize: 1},
		{Kernel: kernel.Matern{Nu: 1.5, Length: 0.2}, Noise: 0.1, Centres: 10},
	} {
		o.NoConstant = true
		mean, variance, g := posteriorErrors(t, rows, &o)
		t.Logf("%v: relative error of the mean %.2g, of the variance %.2g; %d iterations", o.Kernel, mean, variance, g.Report().Iterations)
		// The report bounds the error of the mean at the training rows, not at these.
		if mean > 0.002 || variance > 0.001 {
			t.Errorf("%v: relative error of the mean %.2g, of the variance %.2g", o.Kernel, mean, variance)
		}
	}
}

// smooth draws rows of eight columns and a smooth function with noise of standard
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

// TestGPDefaults checks that the default fit reaches the posterior of its selected process.
// In eight columns the landmarks leave a large residual.
func TestGPDefaults(t *testing.T) {
	testutil.Long(t, "it is about figures")
	const n, tests = 800, 50
	x, y := smooth(n, 1)
	test, _ := smooth(tests, 2)
	g := fitGP(t, x, y, nil)
	amplitude, noise := g.Amplitude()[0], g.Noise()[0]
	want, variance := exactPosterior(t, g.Kernel(), noise/amplitude, x, y, test, false)
	variance.Scale(amplitude, variance)
	got, err := g.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	a, b := relativeError(got, want), relativeError(varianceOf(t, g, test), variance)
	t.Logf("relative error of the mean %.2g, of the variance %.2g; %v, %d iterations", a, b, g.Kernel(), g.Report().Iterations)
	// The report bounds the error of the mean at the training rows, not at these.
	if r := g.Report(); r.Status != rkhs.Converged || a > 0.002 || b > 0.001 {
		t.Errorf("relative error of the mean %.2g, of the variance %.2g; %v", a, b, r.Status)
	}
}

// triangle is a kernel on the line that implements only Eval.
type triangle struct{}

func (triangle) Eval(x, y []float64) float64 { return max(0, 1-math.Abs(x[0]-y[0])) }
func (triangle) String() string              { return "triangle" }

// TestGPOfAnyKernel checks that a kernel needs no random features.
func TestGPOfAnyKernel(t *testing.T) {
	both, y := wave(300, 1)
	x := both.Slice(0, 300, 0, 1)
	mean, variance := exactPosterior(t, triangle{}, 0.1, x, y, x, true)
	g := fitGP(t, x, y, &gp.Options{Kernel: triangle{}, NoConstant: true, Noise: 0.1, Centres: 20})
	got, err := g.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := relativeError(got, mean), relativeError(varianceOf(t, g, x), variance); a > 0.001 || b > 0.001 {
		t.Errorf("relative error of the mean %.2g, of the variance %.2g", a, b)
	}
}

// TestGPErrorIsABound checks that the reported error bounds the error of the mean at the
// training rows and of each variance, after any number of iterations.
func TestGPErrorIsABound(t *testing.T) {
	x, y := wave(600, 1)
	test, _ := wave(50, 2)
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 0.7}, kernel.Laplacian{Sigma: 1}} {
		mean, _ := exactPosterior(t, k, 0.01, x, y, x, true)
		_, variance := exactPosterior(t, k, 0.01, x, y, test, true)
		for _, iterations := range []int{2, 5, 10, 15} {
			o := gp.Options{Kernel: k, NoConstant: true, Noise: 0.01, Centres: 60, Iterations: iterations, Tolerance: 1e-9}
			alone, err := gp.Fit(context.Background(), x, y, &o)
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
			solved, bound, err := gp.BoundedVariance(alone, test)
			if err != nil {
				t.Fatal(err)
			}
			for j, got := range solved {
				want := variance.At(j, 0)
				if got < want*(1-1e-9) || got-want > bound*got {
					t.Errorf("%v, %d iterations: variance %.6g, want %.6g from below, within %.3g", k, iterations, got, want, bound)
				}
			}
		}
	}
}

// TestGPLittleNoise checks that noise below the rounding of the kernel is an error. Just
// above, the status reports whether the tolerance was reached, and the mean is no larger
// than the targets.
func TestGPLittleNoise(t *testing.T) {
	x, y := wave(300, 1)
	for exponent := -8; exponent >= -20; exponent-- {
		noise := math.Pow10(exponent)
		g, err := gp.Fit(context.Background(), x, y, &gp.Options{Kernel: kernel.Gaussian{Sigma: 3}, NoConstant: true, Noise: noise})
		if singular := noise < 300*0x1p-53; singular || g == nil {
			if !singular || !errors.Is(err, rkhs.ErrDiverged) || g != nil {
				t.Errorf("noise %v: %v, model %v", noise, err, g != nil)
			}
			continue
		}
		if r := g.Report(); err != nil || (r.Status == rkhs.Converged) != (r.Error <= 0.001) || r.Error > 0.05 {
			t.Errorf("noise %v: %v; status %v, error %.3g", noise, err, r.Status, r.Error)
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

// TestGPFindsNoise checks that the selected noise and bandwidth are near the true values,
// at any scale of rows and targets.
func TestGPFindsNoise(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := wave(800, 3)
	for _, scale := range []struct{ x, y float64 }{{1, 1}, {1e-3, 1e3}, {1e3, 1e-3}} {
		var sx, sy mat.Dense
		sx.Scale(scale.x, x)
		sy.Scale(scale.y, y)
		g := fitGP(t, &sx, &sy, nil)
		if s := math.Sqrt(g.Noise()[0]) / scale.y; s < 0.07 || s > 0.13 {
			t.Errorf("x × %g, y × %g: the noise has standard deviation %.3f, want .1", scale.x, scale.y, s)
		}
	}
}

// TestGPCoverage checks the coverage of intervals and that a given noise is unchanged.
func TestGPCoverage(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := wave(1000, 3)
	test, values := wave(500, 4)
	for _, noise := range []float64{0, 0.01} {
		g := fitGP(t, x, y, &gp.Options{Noise: noise})
		mean, err := g.Predict(test)
		if err != nil {
			t.Fatal(err)
		}
		if inside := covered(values, mean, varianceOf(t, g, test), g.Noise()[0], 1.96); inside < 0.91 || inside > 0.985 {
			t.Errorf("noise %v: %.3f of the values are in the intervals of 95 %%", noise, inside)
		}
		if s := g.Noise()[0]; noise > 0 && math.Abs(s/noise-1) > 1e-12 {
			t.Errorf("the noise is %v, want %v", s, noise)
		}
	}
}

// covered returns the fraction of noisy values within the given number of standard
// deviations.
func covered(values mat.Vector, mean, variance *mat.Dense, noise, deviations float64) float64 {
	inside, n := 0.0, values.Len()
	for i := range n {
		if math.Abs(values.AtVec(i)-mean.At(i, 0)) < deviations*math.Sqrt(variance.At(i, 0)+noise) {
			inside += 1 / float64(n)
		}
	}
	return inside
}

// TestGPColumns checks that outputs are separate processes with one ratio of noise to
// amplitude.
func TestGPColumns(t *testing.T) {
	x, y := wave(300, 5)
	test, _ := wave(20, 6)
	both := mat.NewDense(300, 2, nil)
	both.SetCol(0, y.RawVector().Data)
	for i := range 300 {
		both.Set(i, 1, 5-20*y.AtVec(i))
	}
	one, two := fitGP(t, x, y, nil), fitGP(t, x, both, nil)
	v1, v2 := varianceOf(t, one, test), varianceOf(t, two, test)
	m1, err1 := one.Predict(test)
	m2, err2 := two.Predict(test)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		for _, c := range []struct{ got, want float64 }{
			{m2.At(i, 0), m1.At(i, 0)}, {m2.At(i, 1), 5 - 20*m1.At(i, 0)},
			{v2.At(i, 0), v1.At(i, 0)}, {v2.At(i, 1), 400 * v1.At(i, 0)},
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
		{"few centres", 2, &gp.Options{Metric: kernel.NoMetric, Centres: 20, CacheSize: 1}},
		{"literal", 1, &gp.Options{Kernel: kernel.Laplacian{Sigma: 3}, NoConstant: true, Noise: 0.01}},
	} {
		if !testutil.LongTests() && c.opts == nil {
			continue // the slowest case, with the same code
		}
		t.Run(c.name, func(t *testing.T) {
			l := testutil.Learner[gp.Options, *gp.Model]{
				Package: "gp",
				Repeats: math.Inf(1), // the noise is added to a sum over rows
				Fit:     gp.Fit,
				Empty:   func() *gp.Model { return new(gp.Model) },
				Common: func(o *gp.Options, seed uint64, workers int, r rkhs.Recorder) {
					o.Seed, o.Workers, o.Recorder = seed, workers, r
				},
				Limit: func(o *gp.Options) {
					o.Kernel, o.Centres, o.Iterations, o.Tolerance = kernel.Gaussian{Sigma: 1}, 5, 2, 1e-6
				},
				Outputs:      c.outputs,
				Equivariance: 1e-9,
			}
			if c.opts == nil {
				l.LargeRows = 6000
			}
			if c.opts != nil {
				l.Options = func() *gp.Options { o := *c.opts; return &o }
				l.Limit = nil
			}
			if c.opts != nil && c.opts.NoConstant {
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
		name string
		y    mat.Matrix
		opts gp.Options
		want error
	}{
		{"large", &large, gp.Options{NoConstant: true, Noise: 1}, rkhs.ErrDiverged},
		{"large", &large, gp.Options{NoConstant: true}, rkhs.ErrDiverged},
		{"noise below 0", y, gp.Options{Noise: -1}, rkhs.ErrOption},
		{"noise not a number", y, gp.Options{Noise: math.NaN()}, rkhs.ErrOption},
		{"noise of two columns", two, gp.Options{Noise: 1}, rkhs.ErrOption},
		{"tolerance", y, gp.Options{Tolerance: 1}, rkhs.ErrOption},
		{"metric", y, gp.Options{Metric: 4}, rkhs.ErrOption},
		{"metric of a kernel", y, gp.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.NoMetric}, rkhs.ErrOption},
		{"iterations", y, gp.Options{Iterations: -1}, rkhs.ErrOption},
		{"centres", y, gp.Options{Centres: -1}, rkhs.ErrOption},
		{"kernel", y, gp.Options{Kernel: kernel.Gaussian{Sigma: -1}}, rkhs.ErrOption},
		{"domain", y, gp.Options{Kernel: kernel.Intersection{}}, rkhs.ErrDomain},
		{"memory", y, gp.Options{MemoryLimit: 1000}, rkhs.ErrMemory},
	} {
		g, err := gp.Fit(context.Background(), x, c.y, &c.opts)
		if !errors.Is(err, c.want) || g != nil {
			t.Errorf("%s: error %v, want %v; model %v", c.name, err, c.want, g)
		}
	}
	m := fitGP(t, x, y, nil)
	for _, c := range []struct {
		test mat.Matrix
		want error
	}{{mat.NewDense(3, 3, nil), rkhs.ErrShape}, {bad, rkhs.ErrNotFinite}, {&mat.Dense{}, rkhs.ErrEmpty}, {nil, rkhs.ErrEmpty}} {
		_, err1 := m.Variance(context.Background(), c.test)
		_, err2 := m.Covariance(context.Background(), c.test, nil, 0)
		if !errors.Is(err1, c.want) || !errors.Is(err2, c.want) {
			t.Errorf("errors %v and %v, want %v", err1, err2, c.want)
		}
	}
	for _, output := range []int{-1, 1} {
		if _, err := m.Covariance(context.Background(), x, nil, output); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("output %d: error %v", output, err)
		}
	}
}

// TestGPVariance checks that the variance is identical after loading and for any number of
// workers, and that a cancelled call returns the prior variance.
func TestGPVariance(t *testing.T) {
	x, y := wave(300, 1)
	test, _ := wave(300, 2) // more than one group
	o := gp.Options{Kernel: kernel.Gaussian{Sigma: 1}, NoConstant: true, Noise: 0.1, Centres: 30, Workers: 1}
	g := fitGP(t, x, y, &o)
	want := varianceOf(t, g, test)
	o.Workers = 3
	if !mat.Equal(want, varianceOf(t, fitGP(t, x, y, &o), test)) {
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
	if !mat.Equal(varianceOf(t, &loaded, test), want) || !reflect.DeepEqual(loaded.Report(), g.Report()) || loaded.Noise()[0] != g.Noise()[0] {
		t.Error("the file does not give variance, report and noise")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cut, err := g.Variance(ctx, test)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	for i := range 300 {
		if v := cut.At(i, 0); v != 1 {
			t.Fatalf("row %d: variance %v of what was cancelled, want that of the prior", i, v)
		}
	}
	if _, err := g.Covariance(ctx, test, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestGPCovariance checks the covariance against the exact posterior. It must be symmetric,
// have the variance as its diagonal, and be consistent for a subset of points.
func TestGPCovariance(t *testing.T) {
	x, y := wave(400, 1)
	both := mat.NewDense(400, 2, nil)
	both.SetCol(0, y.RawVector().Data)
	for i := range 400 {
		both.Set(i, 1, 3*y.AtVec(i))
	}
	test, _ := wave(150, 2)
	m := fitGP(t, x, both, &gp.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Centres: 40, Tolerance: 1e-6})
	ratio := m.Noise()[1] / m.Amplitude()[1]
	want := newPosterior(t, m.Kernel(), ratio, x, false).covariance(t, test)
	want.Scale(m.Amplitude()[1], want)
	got, err := m.Covariance(context.Background(), test, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	part, err := m.Covariance(context.Background(), test.Slice(0, 20, 0, 2), test, 1)
	if err != nil {
		t.Fatal(err)
	}
	variance := varianceOf(t, m, test)
	for i := range 150 {
		if d := math.Abs(got.At(i, i)/variance.At(i, 1) - 1); d > 1e-9 {
			t.Errorf("row %d: the diagonal is off the variance by %.2g", i, d)
		}
		for j := range 150 {
			allowed := 1e-6 * math.Sqrt(variance.At(i, 1)*variance.At(j, 1))
			if d := math.Abs(got.At(i, j) - want.At(i, j)); d > allowed || got.At(i, j) != got.At(j, i) {
				t.Fatalf("rows %d and %d: %v, want %v; the other way round %v", i, j, got.At(i, j), want.At(i, j), got.At(j, i))
			}
			if i < 20 && math.Abs(part.At(i, j)-got.At(i, j)) > 2*allowed {
				t.Fatalf("rows %d and %d: %v of a part, %v of all", i, j, part.At(i, j), got.At(i, j))
			}
		}
	}
}
