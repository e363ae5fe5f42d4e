package ratio_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// normals draws rows with independent normal entries.
func normals(n, d int, mean, deviation float64, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 5))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return mean + deviation*r.NormFloat64() }, x)
	return x
}

// exactRatio minimises the objective over f = Σ_j α_j·k(z_j, ·) for all rows z and returns f
// at the rows. It uses Newton's method on the values at the rows and halves steps that do
// not reduce the gradient.
func exactRatio(t testing.TB, form ratio.Form, k kernel.Kernel, nu float64, x, y *mat.Dense) *mat.VecDense {
	t.Helper()
	var z mat.Dense
	z.Stack(x, y)
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, &z); err != nil {
		t.Fatal(err)
	}
	above, _ := x.Dims()
	n := gram.SymmetricDim()
	first := func(i int, f float64) (float64, float64) {
		switch m := float64(n - above); {
		case i < above && form == ratio.Log:
			return -1 / float64(above), 0
		case i < above && f < 0.1:
			return -10 / float64(above), 0
		case i < above:
			return -1 / f / float64(above), 1 / (f * f) / float64(above)
		case form == ratio.Log:
			return math.Exp(f) / m, math.Exp(f) / m
		default:
			return 1 / m, 0
		}
	}
	// The optimality condition is nu·α + l'(Kα) = 0.
	lack := func(alpha *mat.VecDense) (*mat.VecDense, *mat.VecDense) {
		f, g := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		f.MulVec(&gram, alpha)
		for i := range n {
			d, _ := first(i, f.AtVec(i))
			g.SetVec(i, nu*alpha.AtVec(i)+d)
		}
		return f, g
	}
	alpha := mat.NewVecDense(n, nil)
	for range 200 {
		f, g := lack(alpha)
		if mat.Norm(g, 2) < 1e-10 {
			return f
		}
		jacobian := mat.NewDense(n, n, nil)
		for i := range n {
			_, c := first(i, f.AtVec(i))
			for j := range n {
				jacobian.Set(i, j, c*gram.At(i, j))
			}
			jacobian.Set(i, i, jacobian.At(i, i)+nu)
		}
		var step, next mat.VecDense
		if err := step.SolveVec(jacobian, g); err != nil {
			t.Fatal(err)
		}
		for size := 1.0; size > 1e-9; size /= 2 {
			next.AddScaledVec(alpha, -size, &step)
			if _, h := lack(&next); mat.Norm(h, 2) < mat.Norm(g, 2) {
				break
			}
		}
		alpha.CopyVec(&next)
	}
	t.Fatal("Newton's method does not converge")
	return nil
}

func fitRatio(t testing.TB, x, y mat.Matrix, o *ratio.Options) *ratio.Model {
	t.Helper()
	m, err := ratio.Fit(context.Background(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRatioAgainstTheExactMinimum covers three cases. All rows as landmarks give the exact
// solution. With fifteen landmarks random features contribute most of it, and in a stream
// all of it.
func TestRatioAgainstTheExactMinimum(t *testing.T) {
	x, y := normals(150, 2, 0.5, 0.8, 1), normals(150, 2, 0, 1, 2)
	var z mat.Dense
	z.Stack(x, y)
	k := kernel.Gaussian{Sigma: 1}
	for form, limit := range []float64{ratio.Log: 0.03, ratio.Plain: 0.06} {
		form := ratio.Form(form)
		want := exactRatio(t, form, k, 0.01, x, y)
		near := func(name string, m *ratio.Model, limit float64) {
			t.Helper()
			got, err := m.Scores(&z)
			if err != nil {
				t.Fatal(err)
			}
			e := relativeError(got, want)
			t.Logf("form %d, %s: relative error %.2g; %+v", form, name, e, m.Report())
			if !(e <= limit) {
				t.Errorf("form %d, %s: relative error %.3g, want at most %.3g", form, name, e, limit)
			}
		}
		o := ratio.Options{Form: form, Kernel: k, Ridge: 0.01, Features: 1 << 17}
		near("all centres", fitRatio(t, x, y, &o), 1e-3)
		if !testutil.LongTests() {
			continue
		}
		o.MaxPoints = 15
		near("few centres", fitRatio(t, x, y, &o), limit)
		o.MaxPoints, o.Features = 0, 4096
		near("stream", streamRatio(t, repeated(x, 300), repeated(y, 300), &o), limit)
	}
}

// TestRatioOfNormals checks that the default is near the true ratio at any scale. The norm of w shrinks the
// plain form towards zero.
func TestRatioOfNormals(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := normals(2000, 1, 0.5, 0.7, 1), normals(1500, 1, 0, 1, 2)
	grid := mat.NewDense(41, 1, nil)
	for i := range 41 {
		grid.Set(i, 0, -1.5+0.1*float64(i))
	}
	density := func(v, mean, deviation float64) float64 {
		return math.Exp(-(v-mean)*(v-mean)/(2*deviation*deviation)) / deviation
	}
	// divergence between the two normal densities
	divergence := math.Log(1/0.7) + (0.49+0.25)/2 - 0.5
	for _, c := range []struct {
		form            ratio.Form
		rms, divergence float64
		scales          []float64
	}{{ratio.Log, 0.12, 0.02, []float64{1, 1e-3, 1e3}}, {ratio.Plain, 0.25, 0.1, []float64{1}}} {
		form := c.form
		for _, scale := range c.scales {
			var sx, sy, sg mat.Dense
			sx.Scale(scale, x)
			sy.Scale(scale, y)
			sg.Scale(scale, grid)
			m := fitRatio(t, &sx, &sy, &ratio.Options{Form: form})
			got, err := m.Predict(&sg)
			if err != nil {
				t.Fatal(err)
			}
			differ := 0.0
			for i := range 41 {
				v := grid.At(i, 0)
				differ = math.Hypot(differ, (got.At(i, 0)-density(v, 0.5, 0.7)/density(v, 0, 1))/math.Sqrt(41))
			}
			d, err := m.Divergence(&sx)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("form %d, × %g: rms difference %.3f, divergence %.3f (%.3f); %v %+v", form, scale, differ, d, divergence, m.Kernel(), m.Report())
			if differ > c.rms || math.Abs(d-divergence) > c.divergence {
				t.Errorf("form %d, × %g: rms difference %.3f, divergence %.3f, want %.3f", form, scale, differ, d, divergence)
			}
		}
	}
}

// TestRatioAsWeights checks that the ratio as weights gives the mean over p from rows of q.
func TestRatioAsWeights(t *testing.T) {
	for seed := uint64(1); seed < 9; seed++ {
		m := fitRatio(t, normals(500, 1, 1, 0.7, 2*seed), normals(500, 1, 0, 1, 2*seed+1), nil)
		fresh := normals(4000, 1, 0, 1, 100)
		w, err := m.Predict(fresh)
		if err != nil {
			t.Fatal(err)
		}
		if mean := mat.Dot(w.ColView(0), fresh.ColView(0)) / mat.Sum(w); math.Abs(mean-1) > 0.15 {
			t.Errorf("sample %d: the mean over p is %.3f, want 1; %v %+v", seed, mean, m.Kernel(), m.Report())
		}
	}
}

// TestRatioOfEqualDensities checks that equal densities have the ratio 1.
func TestRatioOfEqualDensities(t *testing.T) {
	m := fitRatio(t, normals(500, 3, 0, 1, 1), normals(700, 3, 0, 1, 2), nil)
	got, err := m.Predict(normals(300, 3, 0, 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if v := got.At(i, 0); v < 0.7 || v > 1.4 {
			t.Fatalf("row %d: ratio %v, want about 1", i, v)
		}
	}
}

func TestRatioRefuses(t *testing.T) {
	x := normals(30, 2, 0, 1, 1)
	bad := mat.DenseCopyOf(x)
	bad.Set(3, 1, math.NaN())
	for _, c := range []struct {
		name string
		x, y mat.Matrix
		opts ratio.Options
		want error
	}{
		{"form", x, x, ratio.Options{Form: 2}, rkhs.ErrOption},
		{"ridge", x, x, ratio.Options{Ridge: -1}, rkhs.ErrOption},
		{"ridge not a number", x, x, ratio.Options{Ridge: math.NaN()}, rkhs.ErrOption},
		{"tolerance", x, x, ratio.Options{Tolerance: 2}, rkhs.ErrOption},
		{"features", x, x, ratio.Options{Features: -1}, rkhs.ErrOption},
		{"very many features", x, x, ratio.Options{Features: math.MaxInt}, rkhs.ErrOption},
		{"columns", x, mat.NewDense(3, 1, nil), ratio.Options{}, rkhs.ErrShape},
		{"x not finite", bad, x, ratio.Options{}, rkhs.ErrNotFinite},
		{"y not finite", x, bad, ratio.Options{}, rkhs.ErrNotFinite},
		{"x empty", &mat.Dense{}, x, ratio.Options{}, rkhs.ErrEmpty},
		{"y nil", x, nil, ratio.Options{}, rkhs.ErrEmpty},
		{"memory", x, x, ratio.Options{MemoryLimit: 100}, rkhs.ErrMemory},
		{"domain", x, x, ratio.Options{Kernel: kernel.Hellinger{}}, rkhs.ErrDomain},
	} {
		if m, err := ratio.Fit(context.Background(), c.x, c.y, &c.opts); !errors.Is(err, c.want) || m != nil {
			t.Errorf("%s: error %v, want %v; model %v", c.name, err, c.want, m)
		}
	}
}

// TestRatioDegenerate checks that degenerate rows give a ratio or an error, never a NaN.
func TestRatioDegenerate(t *testing.T) {
	far := normals(40, 2, 1e3, 1, 3)
	for _, c := range []struct {
		name string
		x, y *mat.Dense
	}{
		{"one row each", normals(1, 2, 0, 1, 1), normals(1, 2, 1, 1, 2)},
		{"equal rows", mat.NewDense(9, 2, nil), mat.NewDense(7, 2, nil)},
		{"apart", normals(40, 2, 0, 1, 1), far},
		{"huge", mat.NewDense(2, 1, []float64{1e200, 0}), mat.NewDense(2, 1, []float64{-1e200, 3})},
		{"wide", normals(3, 40, 0, 1, 1), normals(300, 40, 1, 1, 2)},
	} {
		for _, form := range []ratio.Form{ratio.Log, ratio.Plain} {
			m, err := ratio.Fit(context.Background(), c.x, c.y, &ratio.Options{Form: form, Features: 2048})
			if errors.Is(err, rkhs.ErrDiverged) {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			got, err := m.Predict(c.x)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			for _, v := range got.RawMatrix().Data {
				if v-v != 0 || v < 0 {
					t.Errorf("%s, form %d: ratio %v", c.name, form, v)
				}
			}
		}
	}
}

// TestRatioContract checks that models are identical for any number of workers and after
// loading, and that a fit that is limited or stopped returns a usable model.
func TestRatioContract(t *testing.T) {
	x, y := normals(120, 2, 0.5, 0.8, 1), normals(150, 2, 0, 1, 2)
	o := ratio.Options{MaxPoints: 10, Features: 1024, Columns: 128, Seed: 4, Workers: 1}
	m := fitRatio(t, x, y, &o)
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 3
	if other, err := fitRatio(t, x, y, &o).MarshalBinary(); err != nil || string(other) != string(data) {
		t.Errorf("the model depends on the number of workers, %v", err)
	}
	var loaded ratio.Model
	if err := loaded.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	want, err1 := m.Predict(x)
	got, err2 := loaded.Predict(x)
	if err := errors.Join(err1, err2); err != nil || !mat.Equal(got, want) || loaded.Report() != m.Report() || loaded.Form() != ratio.Log || loaded.Seed() != 4 {
		t.Errorf("the loaded model is another one, %v", err)
	}
	o.Tolerance, o.Features = 1e-9, 256
	if m, err := ratio.Fit(context.Background(), x, y, &o); !errors.Is(err, rkhs.ErrNotConverged) || m.Report().Status != rkhs.IterationLimit {
		t.Errorf("error %v, want %v", err, rkhs.ErrNotConverged)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped, err := ratio.Fit(ctx, x, y, nil)
	if !errors.Is(err, context.Canceled) || stopped.Report().Status != rkhs.Cancelled {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if _, err := stopped.Predict(x); err != nil {
		t.Error(err)
	}
}

func relativeError(got, want mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(got, want)
	return mat.Norm(&d, 2) / mat.Norm(want, 2)
}

// repeated returns the given number of copies of the rows, each copy in random order.
func repeated(x *mat.Dense, times int) *mat.Dense {
	r := rand.New(rand.NewPCG(1, 2))
	n, d := x.Dims()
	m := mat.NewDense(times*n, d, nil)
	for i := range times {
		for j, from := range r.Perm(n) {
			m.SetRow(i*n+j, x.RawRowView(from))
		}
	}
	return m
}

// TestRatioUnits checks that extreme units of the columns change the divergence by at most 2 %.
func TestRatioUnits(t *testing.T) {
	x, y := normals(300, 2, 0.5, 0.8, 1), normals(300, 2, 0, 1, 2)
	want, err := fitRatio(t, x, y, nil).Divergence(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, units := range [][]float64{{1e-6, 1e6}, {1e3, 1e-1}} {
		move := func(_, j int, v float64) float64 { return units[j] * (v + 100) }
		var a, b mat.Dense
		a.Apply(move, x)
		b.Apply(move, y)
		m := fitRatio(t, &a, &b, nil)
		got, err := m.Divergence(&a)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Kernel().(kernel.ARD); !ok || math.Abs(got/want-1) > 0.02 {
			t.Errorf("in units %v the divergence is %.4f by %v, in good ones %.4f", units, got, m.Kernel(), want)
		}
	}
}

// TestRatioStops checks that a fit stopped in any phase ends soon with a model.
func TestRatioStops(t *testing.T) {
	x, y := normals(1500, 5, 0.3, 0.9, 1), normals(1500, 5, 0, 1, 2)
	for _, phase := range []string{"search", "centres", "fit"} {
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		m, err := ratio.Fit(ctx, x, y, &ratio.Options{MaxPoints: 300, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			if p.Phase == phase && p.Done+p.Iteration > 0 || phase == "fit" && p.Phase == phase {
				at = time.Now()
				cancel()
			}
			return nil
		})})
		cancel()
		if !errors.Is(err, context.Canceled) || at.IsZero() {
			t.Fatalf("%s: error %v, want %v", phase, err, context.Canceled)
		}
		if took := time.Since(at); took > time.Second && testutil.LongTests() { // not with the race detector, which is ten times slower
			t.Errorf("%s: the fit ended %v after it was cancelled", phase, took)
		}
		d, err := m.Divergence(x)
		if err != nil || !(d > 0 && d < 1) {
			t.Errorf("%s: divergence %v, %v", phase, d, err)
		}
	}
}

// TestUnfitted checks that nil and zero values and nil contexts return errors, that rows are
// scanned once, and that rkhs.Read opens the files.
func TestUnfitted(t *testing.T) {
	x, y := normals(100, 2, 0.5, 0.8, 1), normals(150, 2, 0, 1, 2)
	var m *ratio.Model
	testutil.CheckScans(t, "Fit", 250, func() { m = fitRatio(t, x, y, &ratio.Options{MaxPoints: 10}) })
	testutil.CheckScans(t, "Predict", 100, func() {
		if _, err := m.Predict(x); err != nil {
			t.Fatal(err)
		}
	})
	l, err := ratio.NewLearner(nil)
	if err != nil {
		t.Fatal(err)
	}
	testutil.CheckScans(t, "Update", 250, func() {
		if err := l.Update(x, y); err != nil {
			t.Fatal(err)
		}
	})
	testutil.CheckUnfitted(t, "ratio", m)
	testutil.CheckUnfitted(t, "ratio", l)
	var none context.Context
	_, err1 := ratio.Fit(none, x, y, nil)
	_, err2 := l.Model(none)
	if !errors.Is(err1, rkhs.ErrOption) || !errors.Is(err2, rkhs.ErrOption) {
		t.Errorf("nil contexts: %v, %v", err1, err2)
	}
	var file bytes.Buffer
	if err := errors.Join(rkhs.Write(&file, m), rkhs.Write(&file, l)); err != nil {
		t.Fatal(err)
	}
	read, err1 := rkhs.Read[*ratio.Model](&file)
	_, err2 = rkhs.Read[*ratio.Learner](&file)
	if err := errors.Join(err1, err2); err != nil || read.Report() != m.Report() {
		t.Errorf("read: %v", err)
	}
}

// TestRatioPowersOfTwo checks that rows scaled by a power of two give the same bits, or an error that
// names the cause if squares of the rows leave the floating-point range.
func TestRatioPowersOfTwo(t *testing.T) {
	x, y := normals(80, 2, 0.5, 0.8, 1), normals(90, 2, 0, 1, 2)
	want, err := fitRatio(t, x, y, nil).Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, power := range []int{-1000, -498, -400, 400, 498, 1000} {
		p, q := scaledBy(power, x), scaledBy(power, y)
		m, err := ratio.Fit(context.Background(), p, q, nil)
		late := streamed(p, q)
		if power < -400 || power > 400 {
			for _, err := range []error{err, late} {
				if !errors.Is(err, rkhs.ErrDiverged) || !strings.Contains(err.Error(), "largest number of x") {
					t.Errorf("times 2^%d: error %v", power, err)
				}
			}
			continue
		}
		if err != nil || late != nil {
			t.Errorf("times 2^%d: errors %v and %v", power, err, late)
			continue
		}
		if got, err := m.Predict(p); err != nil || !mat.Equal(got, want) {
			t.Errorf("times 2^%d: other ratios, error %v", power, err)
		}
	}
}

// streamed returns the error of a model of a stream.
func streamed(x, y mat.Matrix) error {
	l, err := ratio.NewLearner(nil)
	if err := errors.Join(err, l.Update(x, y)); err != nil {
		return err
	}
	_, err = l.Model(context.Background())
	return err
}

// scaledBy returns 2^power·m.
func scaledBy(power int, m mat.Matrix) *mat.Dense {
	var s mat.Dense
	s.Scale(math.Ldexp(1, power), m)
	return &s
}
