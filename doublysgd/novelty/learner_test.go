package novelty_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func checkError(t *testing.T, err, want error, names ...string) {
	t.Helper()
	testutil.CheckError(t, "novelty", err, want, names...)
}

func TestNoveltyLearnerContract(t *testing.T) {
	x := cloud(460, 2, 1)
	for name, o := range map[string]novelty.Options{
		"default": {}, "small blocks": {Batch: 7, Columns: 32, Features: 96, Nu: 0.3}, "single rows": {Batch: 1, Columns: 2, Features: 8},
	} {
		t.Run(name, func(t *testing.T) {
			testutil.Cut[*novelty.Learner, *novelty.Model]{
				Start: func(workers int) (*novelty.Learner, error) {
					o := o
					o.Seed, o.Workers = 5, workers
					return novelty.NewLearner(&o)
				},
				Empty:  func() *novelty.Learner { return new(novelty.Learner) },
				Update: func(l *novelty.Learner, x, _ mat.Matrix) error { return l.Update(x) },
				Model:  (*novelty.Learner).Model, X: x, Y: x, Test: cloud(50, 2, 2),
			}.Check(t)
		})
	}
}

func streamNovelty(t testing.TB, x mat.Matrix, o *novelty.Options) *novelty.Model {
	t.Helper()
	l, err := novelty.NewLearner(o)
	if err == nil {
		err = l.Update(x)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNoveltyStreamElsewhere checks one pass with default options. About the fraction nu of
// new rows must be novel, and distant rows always, at any scale of rows or kernel.
func TestNoveltyStreamElsewhere(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, more := cloud(6000, 3, 1), cloud(1000, 3, 2)
	for _, scale := range []float64{1, 1e-3, 1e3} {
		var sx, sm mat.Dense
		sx.Scale(scale, x)
		sm.Scale(scale, more)
		m := streamNovelty(t, &sx, nil)
		t.Logf("× %g: %.3f outside; %v, r = %.4f, %+v", scale, outside(t, m, &sm), m.Kernel(), -m.Intercept()[0], m.Report())
		if o := outside(t, m, &sm); math.Abs(o-0.1) > 0.04 {
			t.Errorf("× %g: %.3f of rows of the same kind are outside, want .1", scale, o)
		}
		if o := outside(t, m, mat.NewDense(2, 3, []float64{100 * scale, 0, 0, -50 * scale, 50 * scale, 0})); o != 1 {
			t.Errorf("× %g: rows far away are not novel", scale)
		}
	}
	k := kernel.Gaussian{Sigma: 2}
	few := &novelty.Options{Kernel: k, Features: 1024}
	one := streamNovelty(t, x, few)
	few.Kernel = kernel.Scale{By: 1 << 20, Of: k}
	other := streamNovelty(t, x, few)
	if d := other.Intercept()[0]/one.Intercept()[0]/(1<<20) - 1; math.Abs(d) > 1e-9 {
		t.Errorf("with 2²⁰ times the kernel r is 2²⁰ times %v larger", 1+d)
	}
}

// TestLearnerDoesNotGrow checks that the size of the state does not depend on the number of
// rows.
func TestLearnerDoesNotGrow(t *testing.T) {
	x := testutil.Normals(640, 3, 0, 1, 1)
	l, err := novelty.NewLearner(&novelty.Options{Features: 512, Columns: 128})
	if err := errors.Join(err, l.Update(x)); err != nil {
		t.Fatal(err)
	}
	first := len(testutil.Bytes(t, l))
	for range 10 {
		if err := l.Update(x); err != nil {
			t.Fatal(err)
		}
	}
	if now := len(testutil.Bytes(t, l)); now != first {
		t.Errorf("a file of %d bytes grows to %d", first, now)
	}
}

// TestLearnerRefuses checks that an update with invalid rows leaves the learner unchanged,
// before and after the first step.
func TestLearnerRefuses(t *testing.T) {
	good := testutil.Normals(600, 2, 0, 1, 1)
	bad := mat.DenseCopyOf(good)
	bad.Set(3, 1, math.Inf(1))
	far := mat.DenseCopyOf(good)
	far.Set(10, 1, 1e308)
	linear := kernel.Linear{}
	l, err := novelty.NewLearner(&novelty.Options{Kernel: linear, Features: 64, Columns: 64})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Model(context.Background())
	checkError(t, err, rkhs.ErrEmpty)
	type refusal struct {
		x     mat.Matrix
		want  error
		names []string
	}
	always := []refusal{{bad, rkhs.ErrNotFinite, []string{"row 3", "column 1"}}, {&mat.Dense{}, rkhs.ErrEmpty, nil}}
	for _, more := range []refusal{
		{far, rkhs.ErrDiverged, nil}, // the step sizes are out of range
		{mat.NewDense(2, 3, nil), rkhs.ErrShape, []string{"3 columns"}},
	} {
		for _, c := range append(always, more) {
			before := testutil.Bytes(t, l)
			checkError(t, l.Update(c.x), c.want, c.names...)
			if !bytes.Equal(testutil.Bytes(t, l), before) {
				t.Fatalf("a batch with the error %v changed the learner", c.want)
			}
		}
		checkError(t, l.Update(nil), rkhs.ErrEmpty, "x")
		if err := l.Update(good); err != nil {
			t.Fatal(err)
		}
	}
	zero, err := novelty.NewLearner(&novelty.Options{Kernel: linear})
	if err != nil {
		t.Fatal(err)
	}
	checkError(t, zero.Update(mat.NewDense(256, 1, nil)), rkhs.ErrDiverged)
}

// TestLearnerRefusesOptions checks that invalid options fail in NewLearner if possible, and
// otherwise at the first rows.
func TestLearnerRefusesOptions(t *testing.T) {
	good := testutil.Normals(600, 2, 0, 1, 1)
	for _, o := range []novelty.Options{{Nu: 1}, {Nu: -1}, {Batch: -1}, {Columns: 3}, {Features: -1}, {Workers: -1},
		{Kernel: kernel.Gaussian{Sigma: -1}}, {Kernel: kernel.RationalQuadratic{}}, {Sampler: 99}} {
		l, err := novelty.NewLearner(&o)
		if err == nil {
			err = l.Update(good)
		}
		checkError(t, err, rkhs.ErrOption)
	}
	for name, o := range map[string]novelty.Options{
		"MaxPoints": {MaxPoints: 5}, "Iterations": {Iterations: 5}, "Tolerance": {Tolerance: 0.1},
		"Recorder": {Recorder: rkhs.RecorderFunc(func(rkhs.Progress) error { return nil })},
		"Sampler":  {Sampler: 77}, "Gaussian.Sigma": {Kernel: kernel.Gaussian{Sigma: -1}}, "ARD.Scales": {Kernel: kernel.ARD{Of: kernel.Gaussian{Sigma: 1}}},
		"Columns": {Columns: 1 << 26},
	} {
		_, err := novelty.NewLearner(&o)
		checkError(t, err, rkhs.ErrOption, name)
	}
	_, err := novelty.NewLearner(&novelty.Options{MemoryLimit: 1})
	checkError(t, err, rkhs.ErrMemory, "MemoryLimit")
	_, err = novelty.Fit(context.Background(), good, &novelty.Options{Batch: 5})
	checkError(t, err, rkhs.ErrOption, "Batch")
}

// TestLearnerDegenerate checks that any rows give a model or an error, never a NaN.
func TestLearnerDegenerate(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *mat.Dense
	}{
		{"one row", testutil.Normals(1, 2, 0, 1, 1)},
		{"few rows", testutil.Normals(7, 2, 0, 1, 1)},
		{"equal rows", mat.NewDense(100, 2, nil)},
		{"apart", testutil.Normals(100, 2, 0, 1, 1)},
		{"narrow", testutil.Normals(300, 2, 0, 1e-3, 1)},
		{"huge", mat.NewDense(2, 1, []float64{1e200, 0})},
		{"tiny", mat.NewDense(2, 1, []float64{1e-200, 0})},
		{"wide", testutil.Normals(3, 40, 0, 1, 1)},
	} {
		for _, batch := range []int{0, 1} {
			l, err := novelty.NewLearner(&novelty.Options{Batch: batch, Columns: 2 + 254*(1-batch), Features: 512, Nu: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			if err = l.Update(c.x); err == nil {
				var m *novelty.Model
				if m, err = l.Model(context.Background()); err == nil {
					testutil.Finite(t, c.name, c.x, m.Scores)
				}
			}
			if err != nil && !errors.Is(err, rkhs.ErrDiverged) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}
