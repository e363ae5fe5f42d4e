package doublysgd_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestNewModel compares a model of three blocks, before and after saving, with its features.
func TestNewModel(t *testing.T) {
	x := mat.NewDense(30, 2, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = math.Sin(float64(3 * i))
	}
	k, o := kernel.Laplacian{Sigma: 0.7}, features.Options{Seed: 7, Columns: 16}
	a := mat.NewDense(48, 2, nil)
	for i := range a.RawMatrix().Data {
		a.RawMatrix().Data[i] = math.Cos(float64(i))
	}
	m, err := doublysgd.NewModel(k, 2, o, a, []float64{1, -2}, doublysgd.Report{Rows: 5})
	if err != nil {
		t.Fatal(err)
	}
	phi, err := features.New(k, 2, o)
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(30, 2, nil)
	for i := range 30 {
		want.SetRow(i, []float64{1, -2})
	}
	for b := range 3 {
		z, f := mat.NewDense(30, 16, nil), new(mat.Dense)
		if err := phi.Block(uint64(b)).TransformTo(z, x); err != nil {
			t.Fatal(err)
		}
		f.Mul(z, a.Slice(16*b, 16*b+16, 0, 2))
		want.Add(want, f)
	}
	file, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var loaded doublysgd.Model
	if err := loaded.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*doublysgd.Model{"model": m, "file": &loaded} {
		got, err := m.Predict(x)
		if err != nil || !mat.EqualApprox(got, want, 1e-12) || m.Report().Features != 48 || m.Report().ModelOrder != 3 {
			t.Errorf("%s: other predictions, %d features in %d blocks, %v", name, m.Report().Features, m.Report().ModelOrder, err)
		}
	}
}

func TestNewModelErrors(t *testing.T) {
	k, a := kernel.Gaussian{Sigma: 1}, mat.NewDense(4, 1, nil)
	for name, c := range map[string]struct {
		k    kernel.Kernel
		d    int
		o    features.Options
		a    mat.Matrix
		b    []float64
		want error
	}{
		"coefficients": {k, 1, features.Options{Columns: 4}, nil, nil, rkhs.ErrEmpty},
		"kernel":       {nil, 1, features.Options{Columns: 4}, a, []float64{0}, rkhs.ErrOption},
		"inputs":       {k, 0, features.Options{Columns: 4}, a, []float64{0}, rkhs.ErrShape},
		"part":         {k, 1, features.Options{Columns: 6}, a, []float64{0}, rkhs.ErrShape},
		"constants":    {k, 1, features.Options{Columns: 4}, a, nil, rkhs.ErrShape},
		"not finite":   {k, 1, features.Options{Columns: 4}, a, []float64{math.Inf(1)}, rkhs.ErrNotFinite},
		"leverage":     {k, 1, features.Options{Columns: 4, Leverage: new(features.Leverage)}, a, []float64{0}, rkhs.ErrOption},
	} {
		if m, err := doublysgd.NewModel(c.k, c.d, c.o, c.a, c.b, doublysgd.Report{}); m != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	m, err := doublysgd.NewModel(k, 1, features.Options{Columns: 4}, a, []float64{0}, doublysgd.Report{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m      *doublysgd.Model
		labels []int
		want   error
	}{
		"nil":    {nil, []int{1, 2}, rkhs.ErrUnfitted},
		"one":    {m, []int{1}, rkhs.ErrLabels},
		"order":  {m, []int{2, 1}, rkhs.ErrLabels},
		"scores": {m, []int{1, 2, 3}, rkhs.ErrShape},
	} {
		if got, err := doublysgd.NewClassifier(c.m, c.labels); got != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
