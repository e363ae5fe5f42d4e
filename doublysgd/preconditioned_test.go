package doublysgd_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// inUnits returns y in the units in which m was fitted.
func inUnits(m *doublysgd.Model, y mat.Matrix) *mat.Dense {
	offset, unit := m.Units()
	var z mat.Dense
	z.Apply(func(_, o int, v float64) float64 { return (v - offset[o]) / unit[o] }, y)
	return &z
}

func fitAndPredict(t *testing.T, x, y, test mat.Matrix, o doublysgd.Options) (*doublysgd.Model, *mat.Dense) {
	t.Helper()
	m, err := doublysgd.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// The minimum is that over the whole space of the kernel, for every ridge, while the
// centres alone are far from it.
func TestPreconditionedRidge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	const n = 500
	x, y := wave(n, 1)
	test, _ := wave(200, 2)
	k := kernel.Gaussian{Sigma: 1}
	for _, ridge := range []float64{1e-1, 1e-2, 1e-3} {
		o := doublysgd.Options{Mode: doublysgd.Preconditioned, Kernel: k, Ridge: ridge, Centres: 40, Features: 64 * 1024}
		m, p := fitAndPredict(t, x, y, test, o)
		z := inUnits(m, y)
		want, _ := exactPosterior(t, k, n*ridge, x, z, test)
		e := relativeError(inUnits(m, p), want)
		o.Features, o.Columns = 2, 2
		_, p = fitAndPredict(t, x, y, test, o)
		alone := relativeError(inUnits(m, p), want)
		t.Logf("nu = %v: relative error %.4f, of the centres alone %.4f; %+v", ridge, e, alone, m.Report())
		if e > m.Report().Gradient || e > 0.03 || alone < 10*e {
			t.Errorf("nu = %v: relative error %.3g, bound %.3g; of the centres alone %.3g", ridge, e, m.Report().Gradient, alone)
		}
		// With (K + n·nu·I)·alpha = z the minimum is nu/2·zᵀalpha = zᵀ(z − K·alpha)/(2n).
		at, _ := exactPosterior(t, k, n*ridge, x, z, x)
		at.Sub(z, at)
		// The report has f for K·alpha.
		least, size := mat.Dot(z.ColView(0), at.ColView(0))/(2*n), mat.Norm(z, 2)
		if math.Abs(m.Report().Objective-least) > m.Report().Gradient*size*size/(2*n) {
			t.Errorf("nu = %v: objective %v, want %v", ridge, m.Report().Objective, least)
		}
	}
}

// logisticMinimum returns the values at test of the minimiser for labels ±1, by
// Newton's method on the Gram matrix.
func logisticMinimum(t *testing.T, k kernel.Kernel, nu float64, x, y, test mat.Matrix) *mat.Dense {
	t.Helper()
	n, _ := x.Dims()
	var gram, cross, at mat.Dense
	if err := kernel.Cross(&gram, k, x, x); err != nil {
		t.Fatal(err)
	}
	if err := kernel.Cross(&cross, k, test, x); err != nil {
		t.Fatal(err)
	}
	f, alpha := mat.NewDense(n, 1, nil), new(mat.Dense)
	for range 30 {
		a, z := mat.DenseCopyOf(&gram), mat.NewDense(n, 1, nil)
		for i := range n {
			p := 1 / (1 + math.Exp(y.At(i, 0)*f.At(i, 0)))
			second := p * (1 - p)
			a.Set(i, i, a.At(i, i)+float64(n)*nu/second)
			z.Set(i, 0, f.At(i, 0)+y.At(i, 0)*p/second)
		}
		if err := alpha.Solve(a, z); err != nil {
			t.Fatal(err)
		}
		f.Mul(&gram, alpha)
	}
	at.Mul(&cross, alpha)
	return &at
}

// A smooth loss ends at its own minimum.
func TestPreconditionedLogistic(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, y := wave(500, 1)
	test, _ := wave(200, 2)
	k := kernel.Gaussian{Sigma: 1}
	labels := mat.NewVecDense(500, nil)
	for i := range 500 {
		labels.SetVec(i, math.Copysign(1, y.AtVec(i)))
	}
	for _, nu := range []float64{1e-1, 1e-2, 1e-3} {
		o := doublysgd.Options{Mode: doublysgd.Preconditioned, Loss: loss.Logistic{}, Kernel: k, Ridge: nu, Centres: 40, Features: 64 * 1024}
		c, err := doublysgd.FitClassifier(context.Background(), x, labels, &o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Scores(test)
		if err != nil {
			t.Fatal(err)
		}
		e := relativeError(got, logisticMinimum(t, k, nu, x, labels, test))
		t.Logf("nu = %v: relative error %.4f; %+v", nu, e, c.Report())
		if e > 0.02 {
			t.Errorf("nu = %v: relative error %.3g", nu, e)
		}
	}
}

// The gradient that is reported is ‖h‖/nu over ‖f‖ for the function
// h = (1/n)·Σ_i l'(f(x_i))·k(x_i, ·) + nu·f, here computed from the scores at the rows,
// and a tolerance that is said to be reached is.
func TestPreconditionedGradient(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	const n, nu, tolerance = 200, 1e-3, 1e-6
	x, y := wave(n, 3)
	labels := mat.NewVecDense(n, nil)
	for i := range n {
		labels.SetVec(i, math.Copysign(1, y.AtVec(i)))
	}
	k := kernel.Gaussian{Sigma: 1}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, x); err != nil {
		t.Fatal(err)
	}
	for _, l := range []loss.Scalar{loss.Squared{}, loss.SquaredHinge{}, loss.Logistic{}} {
		for _, asked := range []float64{0.01, tolerance} {
			o := doublysgd.Options{Mode: doublysgd.Preconditioned, Loss: l, Kernel: k, Ridge: nu, Centres: n, Features: 4096, Tolerance: asked}
			c, err := doublysgd.FitClassifier(context.Background(), x, labels, &o)
			if c == nil {
				t.Fatal(err)
			}
			scores, err := c.Scores(x)
			if err != nil {
				t.Fatal(err)
			}
			offset, _ := c.Model().Units()
			h, f := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
			for i := range n {
				f.SetVec(i, scores.At(i, 0)-offset[0])
				h.SetVec(i, l.Derivative(scores.At(i, 0), labels.AtVec(i))/n)
			}
			var g mat.VecDense
			g.MulVec(&gram, h)
			g.AddScaledVec(&g, nu, f)
			got, r := mat.Norm(&g, 2)/nu/mat.Norm(f, 2), c.Report()
			t.Logf("%v, tolerance %v: %.3g, in the report %.3g, %v", l, asked, got, r.Gradient, r.Status)
			if got > 1.001*r.Gradient || got < r.Gradient/3 { // one more step follows
				t.Errorf("%v, tolerance %v: the gradient is %.3g, in the report %.3g", l, asked, got, r.Gradient)
			}
			if r.Status == rkhs.Converged && r.Gradient > asked {
				t.Errorf("%v: converged to %v with a gradient of %.3g", l, asked, r.Gradient)
			}
		}
	}
}

// whitened takes a step −(ZᵀZ + s²I)⁻¹Zᵀ(f − y) in a block of features, and one of the
// decay s²/n, which is not whitened, in f at rows x and at others.
func whitened(t *testing.T, block features.Block, noise float64, x, y, f, others, ft *mat.Dense) {
	t.Helper()
	const columns = 128
	n, _ := x.Dims()
	tests, _ := others.Dims()
	z, zt := mat.NewDense(n, columns, nil), mat.NewDense(tests, columns, nil)
	block.TransformTo(z.RawMatrix(), x.RawMatrix())
	block.TransformTo(zt.RawMatrix(), others.RawMatrix())
	var gram, residual, right, a mat.Dense
	gram.Mul(z.T(), z)
	for i := range columns {
		gram.Set(i, i, gram.At(i, i)+noise)
	}
	residual.Sub(y, f)
	right.Mul(z.T(), &residual)
	if err := a.Solve(&gram, &right); err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct{ f, z *mat.Dense }{{f, z}, {ft, zt}} {
		var move mat.Dense
		move.Mul(at.z, &a)
		at.f.Scale(1-noise/float64(n), at.f)
		at.f.Add(at.f, &move)
	}
}

// A preconditioner of each block that whitens the data term and not the norm does not
// minimise the objective: the longer it runs, the further it is from the variance of a
// posterior. This mode comes near it.
func TestPreconditionerOfBlocksIsBiased(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	const n, noise, tests = 400, 1.0, 50
	x, _ := wave(n, 1)
	test, _ := wave(tests, 2)
	k := kernel.Gaussian{Sigma: 1}
	var y mat.Dense
	if err := kernel.Cross(&y, k, x, test); err != nil {
		t.Fatal(err)
	}
	_, want := exactPosterior(t, k, noise, x, mat.NewDense(n, 1, nil), test)
	errorOf := func(f mat.Matrix) float64 {
		v := mat.NewDense(tests, 1, nil)
		for j := range tests {
			v.Set(j, 0, 1-f.At(j, j))
		}
		return relativeError(v, want)
	}
	m, err := features.New(k, 2, features.Options{Columns: 128})
	if err != nil {
		t.Fatal(err)
	}
	f, ft := mat.NewDense(n, tests, nil), mat.NewDense(tests, tests, nil)
	last := 0.0
	for step := range 100 {
		whitened(t, m.Block(uint64(step)), noise, x, &y, f, test, ft)
		if step == 5 || step == 24 || step == 99 {
			e := errorOf(ft)
			t.Logf("whitened, %d steps: relative error %.3f", step+1, e)
			if e < 0.3 || e < last {
				t.Errorf("whitened, %d steps: relative error %.3g after %.3g", step+1, e, last)
			}
			last = e
		}
	}
	_, p := fitAndPredict(t, x, &y, test, doublysgd.Options{Mode: doublysgd.Preconditioned, Kernel: k, Ridge: noise / n, Centres: 40})
	if e := errorOf(p); e > 0.03 {
		t.Errorf("relative error %.3g", e)
	}
}

func TestPreconditionedContract(t *testing.T) {
	o := doublysgd.Options{Mode: doublysgd.Preconditioned, Kernel: kernel.Gaussian{Sigma: 2}, Centres: 20, Columns: 64, Features: 256}
	t.Run("regression", func(t *testing.T) {
		l := regression(&o)
		l.Limit = func(o *doublysgd.Options) { o.Ridge, o.Tolerance = 1e-6, 1e-9 }
		testutil.CheckLearner(t, l)
	})
	o.Loss = loss.Softmax{}
	t.Run("three classes", func(t *testing.T) { testutil.CheckLearner(t, classification(&o, -1, 0, 7)) })
}

// What the mode cannot do is an error that names it.
func TestPreconditionedRefuses(t *testing.T) {
	x, y := wave(30, 1)
	_, kinks := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Mode: doublysgd.Preconditioned, Loss: loss.Absolute{}})
	_, stream := doublysgd.NewLearner(1, &doublysgd.Options{Mode: doublysgd.Preconditioned})
	_, centres := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Mode: doublysgd.Preconditioned, Centres: -1})
	for _, c := range []struct {
		err  error
		name string
	}{{kinks, "Mode = Preconditioned"}, {stream, "Mode = Preconditioned"}, {centres, "Centres = -1"}} {
		if !errors.Is(c.err, rkhs.ErrOption) || !strings.Contains(c.err.Error(), c.name) {
			t.Errorf("error %v, want one that names %s", c.err, c.name)
		}
	}
}
