package novelty_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// cloud draws rows, one tenth of them with a large spread.
func cloud(n, d int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		width := 1.0
		if r.Float64() < 0.1 {
			width = 3
		}
		for j := range d {
			x.Set(i, j, width*r.NormFloat64()+float64(2*(i%2)))
		}
	}
	return x
}

// square draws rows uniformly from a square. For 300 rows and a Gaussian kernel with σ = 2
// the one-class support vector machine has r near .129 for nu = .1 and near .142 for
// nu = .3.
func square(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 4))
	x := mat.NewDense(n, 2, nil)
	x.Apply(func(int, int, float64) float64 { return 10*r.Float64() - 5 }, x)
	return x
}

// oneClass solves the dual of the one-class support vector machine,
//
//	min ½·αᵀKα,  0 ≤ α ≤ 1/(nu·n),  Σα = 1,
//
// by updating the pair that violates the optimality conditions most. It returns f at the
// rows and r.
func oneClass(t testing.TB, k kernel.Kernel, nu float64, x *mat.Dense) (f []float64, r float64) {
	t.Helper()
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, x); err != nil {
		t.Fatal(err)
	}
	n := gram.SymmetricDim()
	most := 1 / (nu * float64(n))
	alpha, values := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		alpha.SetVec(i, 1/float64(n))
	}
	values.MulVec(&gram, alpha)
	for range 200000 {
		up, down := -1, -1
		for i := range n {
			if alpha.AtVec(i) < most && (up < 0 || values.AtVec(i) < values.AtVec(up)) {
				up = i
			}
			if alpha.AtVec(i) > 0 && (down < 0 || values.AtVec(i) > values.AtVec(down)) {
				down = i
			}
		}
		differ := values.AtVec(down) - values.AtVec(up)
		if differ < 1e-9 {
			return values.RawVector().Data, (values.AtVec(up) + values.AtVec(down)) / 2
		}
		curve := gram.At(up, up) + gram.At(down, down) - 2*gram.At(up, down)
		move := min(differ/curve, most-alpha.AtVec(up), alpha.AtVec(down))
		alpha.SetVec(up, alpha.AtVec(up)+move)
		alpha.SetVec(down, alpha.AtVec(down)-move)
		for i := range n {
			values.SetVec(i, values.AtVec(i)+move*(gram.At(i, up)-gram.At(i, down)))
		}
	}
	t.Fatal("the dual is not solved")
	return nil, 0
}

func fitNovelty(t testing.TB, x mat.Matrix, o *novelty.Options) *novelty.Model {
	t.Helper()
	m, err := novelty.Fit(context.Background(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// outside returns the fraction of rows that are novel.
func outside(t testing.TB, m *novelty.Model, x mat.Matrix) float64 {
	t.Helper()
	labels, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := x.Dims()
	count := 0
	for i := range n {
		if labels.At(i, 0) < 0 {
			count++
		}
	}
	return float64(count) / float64(n)
}

// likeTheDual checks that r is within two percent of the dual solution, that f is close to
// it, and that at most the fraction nu of the rows is novel.
func likeTheDual(t *testing.T, name string, k kernel.Kernel, nu float64, x *mat.Dense, m *novelty.Model) {
	t.Helper()
	want, r := oneClass(t, k, nu, x)
	scores, err := m.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, v := range want {
		worst = max(worst, math.Abs(scores.At(i, 0)+-m.Intercept()[0]-v)/r)
	}
	t.Logf("%s, nu %v: r = %.5f, that of the dual %.5f; f within %.3f·r; outside %.3f; %+v", name, nu, -m.Intercept()[0], r, worst, outside(t, m, x), m.Report())
	if math.Abs(-m.Intercept()[0]/r-1) > 0.02 {
		t.Errorf("%s, nu %v: r = %v, want %v", name, nu, -m.Intercept()[0], r)
	}
	if worst > 0.1 {
		t.Errorf("%s, nu %v: f differs from that of the dual by %.3f·r", name, nu, worst)
	}
	if o := outside(t, m, x); o > nu || o < nu-0.06 {
		t.Errorf("%s, nu %v: %.3f of the rows are outside", name, nu, o)
	}
}

// TestNoveltyAgainstTheDual compares r and f with the dual solution: with all rows as
// landmarks, with few landmarks and mostly random features, and on a stream.
func TestNoveltyAgainstTheDual(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *mat.Dense
		k    kernel.Kernel
	}{{"cloud", cloud(300, 2, 1), kernel.Gaussian{Sigma: 1}}, {"square", square(300, 1), kernel.Gaussian{Sigma: 2}}} {
		for _, nu := range []float64{0.1, 0.3} {
			o := novelty.Options{Nu: nu, Kernel: c.k}
			likeTheDual(t, c.name+", all centres", c.k, nu, c.x, fitNovelty(t, c.x, &o))
			if !testutil.LongTests() {
				continue
			}
			o.MaxPoints = 30
			likeTheDual(t, c.name+", few centres", c.k, nu, c.x, fitNovelty(t, c.x, &o))
			o.MaxPoints, o.Features = 0, 8192
			likeTheDual(t, c.name+", stream", c.k, nu, c.x, streamNovelty(t, repeated(c.x, 300), &o))
		}
	}
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

// TestNoveltyElsewhere checks that about the fraction nu of new rows is novel, and distant
// rows always, at any scale.
func TestNoveltyElsewhere(t *testing.T) {
	x, more := cloud(1000, 3, 1), cloud(1000, 3, 2)
	var labels *mat.Dense
	for _, scale := range []float64{1, 1e-3, 1e3} {
		var sx, sm mat.Dense
		sx.Scale(scale, x)
		sm.Scale(scale, more)
		m := fitNovelty(t, &sx, nil)
		if o := outside(t, m, &sm); math.Abs(o-0.1) > 0.03 {
			t.Errorf("× %g: %.3f of rows of the same kind are outside, want .1", scale, o)
		}
		if o := outside(t, m, mat.NewDense(2, 3, []float64{100 * scale, 0, 0, -50 * scale, 50 * scale, 0})); o != 1 {
			t.Errorf("× %g: rows far away are not novel", scale)
		}
		got, err := m.Predict(&sm)
		if err != nil {
			t.Fatal(err)
		}
		if labels == nil {
			labels = got
		}
		differ := 0
		for i := range 1000 {
			if got.At(i, 0) != labels.At(i, 0) {
				differ++
			}
		}
		if differ > 5 {
			t.Errorf("× %g: %d of 1000 labels change with the scale", scale, differ)
		}
	}
}

func TestNoveltyRefuses(t *testing.T) {
	x := cloud(30, 2, 1)
	bad := mat.DenseCopyOf(x)
	bad.Set(3, 1, math.Inf(1))
	for _, c := range []struct {
		name string
		x    mat.Matrix
		opts novelty.Options
		want error
	}{
		{"nu", x, novelty.Options{Nu: 1}, rkhs.ErrOption},
		{"nu not a number", x, novelty.Options{Nu: math.NaN()}, rkhs.ErrOption},
		{"steps", x, novelty.Options{Iterations: -1}, rkhs.ErrOption},
		{"tolerance", x, novelty.Options{Tolerance: -1}, rkhs.ErrOption},
		{"workers", x, novelty.Options{Workers: -1}, rkhs.ErrOption},
		{"not finite", bad, novelty.Options{}, rkhs.ErrNotFinite},
		{"empty", &mat.Dense{}, novelty.Options{}, rkhs.ErrEmpty},
		{"nil", nil, novelty.Options{}, rkhs.ErrEmpty},
		{"memory", x, novelty.Options{MemoryLimit: 100}, rkhs.ErrMemory},
		{"zero kernel", mat.NewDense(4, 1, nil), novelty.Options{Kernel: kernel.Linear{}}, rkhs.ErrDiverged},
	} {
		if m, err := novelty.Fit(context.Background(), c.x, &c.opts); !errors.Is(err, c.want) || m != nil {
			t.Errorf("%s: error %v, want %v; model %v", c.name, err, c.want, m)
		}
	}
	m := fitNovelty(t, x, nil)
	for _, c := range []struct {
		x    mat.Matrix
		want error
	}{{bad, rkhs.ErrNotFinite}, {mat.NewDense(1, 3, nil), rkhs.ErrShape}, {nil, rkhs.ErrEmpty}} {
		if _, err := m.Scores(c.x); !errors.Is(err, c.want) {
			t.Errorf("Scores: error %v, want %v", err, c.want)
		}
	}
}

// TestNoveltyDegenerate checks that degenerate rows give a model or an error, never a NaN.
func TestNoveltyDegenerate(t *testing.T) {
	for name, x := range map[string]*mat.Dense{
		"one row": mat.NewDense(1, 2, []float64{1, 2}), "equal rows": mat.NewDense(20, 2, nil), "two rows": mat.NewDense(2, 1, []float64{0, 1e6}),
		"huge": mat.NewDense(3, 1, []float64{0, 1e200, -1e200}), "tiny": mat.NewDense(3, 1, []float64{0, 1e-200, -1e-200}),
	} {
		m, err := novelty.Fit(context.Background(), x, nil)
		if errors.Is(err, rkhs.ErrDiverged) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		scores, err := m.Scores(x)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, v := range scores.RawMatrix().Data {
			if v-v != 0 {
				t.Errorf("%s: score %v", name, v)
			}
		}
	}
}

// TestNoveltyContract checks that models are identical for any number of workers and after
// loading, and that a fit that is limited or stopped returns a usable model.
func TestNoveltyContract(t *testing.T) {
	x := cloud(200, 2, 1)
	o := novelty.Options{MaxPoints: 20, Features: 1024, Columns: 128, Iterations: 20, Seed: 4, Workers: 1}
	m := fitNovelty(t, x, &o)
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 3
	if other, err := fitNovelty(t, x, &o).MarshalBinary(); err != nil || string(other) != string(data) {
		t.Errorf("the model depends on the number of workers, %v", err)
	}
	var loaded novelty.Model
	if err := loaded.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	want, err1 := m.Scores(x)
	got, err2 := loaded.Scores(x)
	if err := errors.Join(err1, err2); err != nil || !mat.Equal(got, want) || loaded.Report() != m.Report() || loaded.Nu() != 0.1 || loaded.Seed() != 4 {
		t.Errorf("the loaded model is another one, %v", err)
	}
	o.Tolerance, o.Iterations = 1e-9, 3
	if m, err := novelty.Fit(context.Background(), x, &o); !errors.Is(err, rkhs.ErrNotConverged) || m.Report().Status != rkhs.IterationLimit {
		t.Errorf("error %v, want %v", err, rkhs.ErrNotConverged)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped, err := novelty.Fit(ctx, x, nil)
	if !errors.Is(err, context.Canceled) || stopped.Report().Status != rkhs.Cancelled {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if _, err := stopped.Predict(x); err != nil {
		t.Error(err)
	}
}

// TestNoveltyUnits checks that extreme units of the columns change few labels, in
// Fit and in a Learner, with the default kernel.
func TestNoveltyUnits(t *testing.T) {
	x := cloud(400, 3, 1)
	want := outside(t, fitNovelty(t, x, nil), x)
	for _, units := range [][]float64{{1e-6, 1, 1e6}, {1e3, 1e-4, 1e-1}} {
		var y mat.Dense
		y.Apply(func(_, j int, v float64) float64 { return units[j] * (v + 100) }, x)
		l, err := novelty.NewLearner(nil)
		if err == nil {
			err = l.Update(&y)
		}
		if err != nil {
			t.Fatal(err)
		}
		streamed, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range map[string]*novelty.Model{"fit": fitNovelty(t, &y, nil), "stream": streamed} {
			if _, ok := m.Kernel().(kernel.ARD); !ok {
				t.Errorf("%s in units %v: the kernel is %v", name, units, m.Kernel())
			}
		}
		if got := outside(t, fitNovelty(t, &y, nil), &y); math.Abs(got-want) > 0.01 {
			t.Errorf("in units %v the fraction %.3f is novel, in good ones %.3f", units, got, want)
		}
		a, err1 := fitNovelty(t, x, nil).Predict(x)
		b, err2 := fitNovelty(t, &y, nil).Predict(&y)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		other := 0
		for i := range 400 {
			if a.At(i, 0) != b.At(i, 0) {
				other++
			}
		}
		if other > 400/50 {
			t.Errorf("in units %v %d of 400 rows have another label than in good ones", units, other)
		}
	}
}

// TestUnfitted checks that nil and zero values and nil contexts return errors, that rows are
// scanned once, and that rkhs.Read opens the files.
func TestUnfitted(t *testing.T) {
	x := cloud(300, 2, 1)
	var m *novelty.Model
	testutil.CheckScans(t, "Fit", 300, func() { m = fitNovelty(t, x, &novelty.Options{MaxPoints: 10}) })
	testutil.CheckScans(t, "Predict", 300, func() { outside(t, m, x) })
	l, err := novelty.NewLearner(nil)
	if err != nil {
		t.Fatal(err)
	}
	testutil.CheckScans(t, "Update", 300, func() {
		if err := l.Update(x); err != nil {
			t.Fatal(err)
		}
	})
	testutil.CheckUnfitted(t, "novelty", m)
	testutil.CheckUnfitted(t, "novelty", l)
	var none context.Context
	_, err1 := novelty.Fit(none, x, nil)
	_, err2 := l.Model(none)
	if !errors.Is(err1, rkhs.ErrOption) || !errors.Is(err2, rkhs.ErrOption) {
		t.Errorf("nil contexts: %v, %v", err1, err2)
	}
	var file bytes.Buffer
	if err := errors.Join(rkhs.Write(&file, m), rkhs.Write(&file, l)); err != nil {
		t.Fatal(err)
	}
	read, err1 := rkhs.Read[*novelty.Model](&file)
	_, err2 = rkhs.Read[*novelty.Learner](&file)
	if err := errors.Join(err1, err2); err != nil || read.Report() != m.Report() {
		t.Errorf("read: %v", err)
	}
}

// TestNoveltyOutOfRange checks that rows of which squares leave the floating-point range give an error
// that names the cause.
func TestNoveltyOutOfRange(t *testing.T) {
	for _, factor := range []float64{0x1p-498, 0x1p498} {
		var x mat.Dense
		x.Scale(factor, cloud(50, 2, 1))
		_, err := novelty.Fit(context.Background(), &x, nil)
		if !errors.Is(err, rkhs.ErrDiverged) || !strings.Contains(err.Error(), "largest number of x") {
			t.Errorf("times %g: error %v", factor, err)
		}
	}
}
