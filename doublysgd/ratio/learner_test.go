package ratio_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func checkError(t *testing.T, err, want error, names ...string) {
	t.Helper()
	testutil.CheckError(t, "ratio", err, want, names...)
}

func TestRatioLearnerContract(t *testing.T) {
	x, y := testutil.Normals(620, 2, 0.5, 0.8, 1), testutil.Normals(620, 2, 0, 1, 2)
	for name, o := range map[string]ratio.Options{
		"chosen": {Features: 1024}, "small blocks": {Batch: 7, Columns: 32, Features: 96, Form: ratio.Plain, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1},
		"single rows": {Batch: 1, Columns: 2, Features: 8, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			testutil.Cut[*ratio.Learner, *ratio.Model]{
				Start: func(workers int) (*ratio.Learner, error) {
					o := o
					o.Seed, o.Workers = 5, workers
					return ratio.NewLearner(&o)
				},
				Empty:  func() *ratio.Learner { return new(ratio.Learner) },
				Update: (*ratio.Learner).Update, Model: (*ratio.Learner).Model, X: x, Y: y, Test: testutil.Normals(50, 2, 0, 1, 3),
			}.Check(t)
		})
	}
}

// TestRatioLearnerPairs checks that rows of p and of q may arrive in separate batches and
// wait for each other.
func TestRatioLearnerPairs(t *testing.T) {
	x, y := testutil.Normals(620, 2, 0.5, 0.8, 1), testutil.Normals(620, 2, 0, 1, 2)
	after := func(update func(l *ratio.Learner) error) (*ratio.Learner, []byte) {
		l, err := ratio.NewLearner(&ratio.Options{Batch: 20, Columns: 32, Features: 128})
		if err != nil {
			t.Fatal(err)
		}
		if err := update(l); err != nil {
			t.Fatal(err)
		}
		return l, testutil.Bytes(t, l)
	}
	_, want := after(func(l *ratio.Learner) error { return l.Update(x, y) })
	l, got := after(func(l *ratio.Learner) error {
		err := l.Update(x.Slice(0, 11, 0, 2), nil)
		for from := 0; from < 620; from += 155 {
			err = errors.Join(err, l.Update(nil, y.Slice(from, from+155, 0, 2)))
		}
		return errors.Join(err, l.Update(x.Slice(11, 620, 0, 2), nil))
	})
	if !bytes.Equal(got, want) || l.Rows() != 1240 {
		t.Errorf("rows that come one kind after the other give other bits; %d rows", l.Rows())
	}
	l, err := ratio.NewLearner(&ratio.Options{MemoryLimit: 4000, Features: 2, Columns: 2, Batch: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(x.Slice(0, 250, 0, 2), nil); err != nil {
		t.Error(err)
	}
	_, err = l.Model(context.Background())
	checkError(t, err, rkhs.ErrEmpty, "250 rows of x and 0 of y")
	checkError(t, l.Update(x.Slice(0, 1, 0, 2), nil), rkhs.ErrMemory, "251 rows", "MiB")
	if err := l.Update(x.Slice(0, 1, 0, 2), y.Slice(0, 1, 0, 2)); err != nil {
		t.Error(err)
	}
}

func streamRatio(t testing.TB, x, y mat.Matrix, o *ratio.Options) *ratio.Model {
	t.Helper()
	l, err := ratio.NewLearner(o)
	if err == nil {
		err = l.Update(x, y)
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

// TestRatioStreamOfNormals compares one pass with default options with the true ratio.
func TestRatioStreamOfNormals(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := testutil.Normals(8000, 1, 0.5, 0.7, 1), testutil.Normals(8000, 1, 0, 1, 2)
	for _, scale := range []float64{1, 1e3} {
		var sx, sy mat.Dense
		sx.Scale(scale, x)
		sy.Scale(scale, y)
		for _, form := range []ratio.Form{ratio.Log, ratio.Plain} {
			m := streamRatio(t, &sx, &sy, &ratio.Options{Form: form})
			differ := 0.0
			for i := range 41 {
				v := -1.5 + 0.1*float64(i)
				w, err := m.Predict(mat.NewDense(1, 1, []float64{scale * v}))
				if err != nil {
					t.Fatal(err)
				}
				exact := math.Exp(v*v/2-(v-0.5)*(v-0.5)/(2*0.49)) / 0.7
				differ = math.Hypot(differ, (w.At(0, 0)-exact)/math.Sqrt(41))
			}
			t.Logf("form %d, × %g: rms difference %.3f; %v %+v", form, scale, differ, m.Kernel(), m.Report())
			if differ > 0.2 {
				t.Errorf("form %d, × %g: rms difference %.3f", form, scale, differ)
			}
		}
	}
}

// TestLearnerDoesNotGrow checks that the size of the state does not depend on the number of
// rows.
func TestLearnerDoesNotGrow(t *testing.T) {
	x, y := testutil.Normals(640, 3, 0, 1, 1), testutil.Normals(640, 3, 0.5, 1, 2)
	l, err := ratio.NewLearner(&ratio.Options{Features: 512, Columns: 128})
	if err := errors.Join(err, l.Update(x, y)); err != nil {
		t.Fatal(err)
	}
	first := len(testutil.Bytes(t, l))
	for range 10 {
		if err := l.Update(x, y); err != nil {
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
	l, err := ratio.NewLearner(&ratio.Options{Kernel: kernel.Linear{}, Ridge: 0.1, Features: 64, Columns: 64})
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
			checkError(t, l.Update(c.x, good), c.want, c.names...)
			checkError(t, l.Update(good, c.x), c.want, c.names...)
			if !bytes.Equal(testutil.Bytes(t, l), before) {
				t.Fatalf("a batch with the error %v changed the learner", c.want)
			}
		}
		checkError(t, l.Update(nil, nil), rkhs.ErrEmpty)
		checkError(t, l.Update(good, mat.NewDense(3, 1, nil)), rkhs.ErrShape, "y")
		if err := l.Update(good, good); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLearnerRefusesOptions checks that invalid options fail in NewLearner if possible, and
// otherwise at the first rows.
func TestLearnerRefusesOptions(t *testing.T) {
	good := testutil.Normals(600, 2, 0, 1, 1)
	for _, o := range []ratio.Options{{Form: 2}, {Ridge: math.NaN()}, {Batch: -1}, {Columns: 3}, {MemoryLimit: -1}, {Kernel: kernel.Gaussian{Sigma: -1}}} {
		l, err := ratio.NewLearner(&o)
		if err == nil {
			err = l.Update(good, good)
		}
		checkError(t, err, rkhs.ErrOption)
	}
	for name, o := range map[string]ratio.Options{
		"MaxPoints": {MaxPoints: 5}, "Tolerance": {Tolerance: 0.1}, "Recorder": {Recorder: rkhs.RecorderFunc(func(rkhs.Progress) error { return nil })},
		"Sampler": {Sampler: 77}, "Gaussian.Sigma": {Kernel: kernel.Gaussian{Sigma: -1}}, "ARD.Scales": {Kernel: kernel.ARD{Of: kernel.Gaussian{Sigma: 1}}},
		"Columns": {Columns: 1 << 26},
	} {
		_, err := ratio.NewLearner(&o)
		checkError(t, err, rkhs.ErrOption, name)
	}
	_, err := ratio.NewLearner(&ratio.Options{MemoryLimit: 1})
	checkError(t, err, rkhs.ErrMemory, "MemoryLimit")
	_, err = ratio.Fit(context.Background(), good, good, &ratio.Options{Batch: 5})
	checkError(t, err, rkhs.ErrOption, "Batch")
}

// TestLearnerDegenerate checks that any rows give a model or an error, never a NaN.
func TestLearnerDegenerate(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y *mat.Dense
	}{
		{"one row", testutil.Normals(1, 2, 0, 1, 1), testutil.Normals(1, 2, 1, 1, 2)},
		{"few rows", testutil.Normals(7, 2, 0, 1, 1), testutil.Normals(90, 2, 1, 1, 2)},
		{"equal rows", mat.NewDense(100, 2, nil), mat.NewDense(80, 2, nil)},
		{"apart", testutil.Normals(100, 2, 0, 1, 1), testutil.Normals(100, 2, 1e3, 1, 3)},
		{"narrow", testutil.Normals(300, 2, 0, 1e-3, 1), testutil.Normals(300, 2, 0, 1, 1)},
		{"huge", mat.NewDense(2, 1, []float64{1e200, 0}), mat.NewDense(2, 1, []float64{-1e200, 3})},
		{"tiny", mat.NewDense(2, 1, []float64{1e-200, 0}), mat.NewDense(2, 1, []float64{-1e-200, 3e-200})},
		{"wide", testutil.Normals(3, 40, 0, 1, 1), testutil.Normals(300, 40, 1, 1, 2)},
	} {
		for _, batch := range []int{0, 1} {
			for _, form := range []ratio.Form{ratio.Log, ratio.Plain} {
				l, err := ratio.NewLearner(&ratio.Options{Batch: batch, Columns: 2 + 254*(1-batch), Features: 512, Form: form})
				if err != nil {
					t.Fatal(err)
				}
				if err = l.Update(c.x, c.y); err == nil {
					var m *ratio.Model
					if m, err = l.Model(context.Background()); err == nil {
						testutil.Finite(t, c.name, c.x, m.Predict)
						testutil.Finite(t, c.name, c.y, m.Scores)
					}
				}
				if err != nil && !errors.Is(err, rkhs.ErrDiverged) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
	}
}
