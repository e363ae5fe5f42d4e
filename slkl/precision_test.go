package slkl_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestSingle: with kernel values in single precision the certificate holds as in double precision. The optimum
// refers to columns with errors of 1e-6. Features may have a large offset.
func TestSingle(t *testing.T) {
	x, y := sample(500, 6, 2, 1)
	x.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, x)
	o := slkl.Options{Penalty: 1e-3, MaxPoints: 100}
	double := fit(t, x, y, o)
	o.SinglePrecision = true
	single := fit(t, x, y, o)
	for i, r := range single.Report().Outputs {
		want := double.Report().Outputs[i]
		if r.RelativeGap() > 1e-9 || !near(r.Objective, want.Objective, 1e-4) || r.Objective == want.Objective {
			t.Errorf("gap %.1e, objective %v, in double precision %v", r.RelativeGap(), r.Objective, want.Objective)
		}
	}
	if d := far(predict(t, single, x), predict(t, double, x)); d > 1e-3 || d == 0 {
		t.Errorf("predictions differ by %g", d)
	}
}

// TestSingleIsSaved: a loaded learner keeps its precision, and does not merge with a learner of different
// precision.
func TestSingleIsSaved(t *testing.T) {
	x, y := sample(300, 4, 1, 1)
	o := slkl.Options{Penalty: 1e-3, Points: x.Slice(0, 50, 0, 4), Paper: slkl.Paper{SinglePrecision: true}}
	a, b := learner(t, o), learner(t, o)
	add(t, a, x.Slice(0, 100, 0, 4), y.Slice(0, 100, 0, 1))
	add(t, b, x.Slice(0, 100, 0, 4), y.Slice(0, 100, 0, 1))
	loaded, err := rkhs.Read[*slkl.Learner](bytes.NewReader(marshal(t, a)))
	if err != nil {
		t.Fatal(err)
	}
	add(t, loaded, x.Slice(100, 300, 0, 4), y.Slice(100, 300, 0, 1))
	add(t, b, x.Slice(100, 300, 0, 4), y.Slice(100, 300, 0, 1))
	want, err := b.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if far(predict(t, got, x), predict(t, want, x)) != 0 {
		t.Error("the loaded learner went on with other bits")
	}
	o.SinglePrecision = false
	if err := learner(t, o).Merge(b); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("learners of two precisions merged: error %v", err)
	}
}

// TestClassLearnerIsSaved adds half of the rows before saving and half after loading.
func TestClassLearnerIsSaved(t *testing.T) {
	x, _ := sample(200, 3, 1, 1)
	labels := mat.NewDense(200, 1, nil)
	labels.Apply(func(i, _ int, _ float64) float64 { return float64(i % 3) }, labels)
	o := slkl.Options{Penalty: 1e-2, Points: x.Slice(0, 30, 0, 3)}
	update := func(a *slkl.ClassLearner, from, to int) {
		t.Helper()
		if err := a.Update(x.Slice(from, to, 0, 3), labels.Slice(from, to, 0, 1)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := slkl.NewClassLearner([]int{0, 1, 2}, &o)
	if err != nil {
		t.Fatal(err)
	}
	update(whole, 0, 100)
	var file bytes.Buffer
	if err := rkhs.Write(&file, whole); err != nil {
		t.Fatal(err)
	}
	half, err := rkhs.Read[*slkl.ClassLearner](&file)
	if err != nil {
		t.Fatal(err)
	}
	update(whole, 100, 200)
	update(half, 100, 200)
	want, err := whole.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := half.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, _ := got.Scores(x)
	q, _ := want.Scores(x)
	if far(p, q) != 0 {
		t.Error("the loaded learner went on with other bits")
	}
}
