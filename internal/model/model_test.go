package model_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// example is 1 + 2·k(x, 0) − k'(x, 3) in one dimension, and its half.
func example() model.Sum {
	return model.Sum{Inputs: 1, Intercept: []float64{1, 0.5}, Terms: []kernel.Expansion{
		{Kernel: kernel.Gaussian{Sigma: 1}, Points: mat.NewDense(1, 1, []float64{0}), Weights: mat.NewDense(1, 2, []float64{2, 1})},
		{Kernel: kernel.Laplacian{Sigma: 2}, Points: mat.NewDense(1, 1, []float64{3}), Weights: mat.NewDense(1, 2, []float64{-1, -0.5})},
	}}
}

func TestSum(t *testing.T) {
	s := example()
	f, err := model.Predict("pkg", &s, mat.NewDense(2, 1, []float64{0, 3}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1 + 2 - math.Exp(-1.5), 1 + 2*math.Exp(-4.5) - 1} {
		if got := f.At(i, 0); math.Abs(got-want) > 1e-15 || math.Abs(f.At(i, 1)-want/2) > 1e-15 {
			t.Errorf("row %d: %v, want %v and its half", i, mat.Row(nil, i, f), want)
		}
	}
	if s.ModelOrder() != 2 {
		t.Errorf("%d points", s.ModelOrder())
	}
}

func TestSumFile(t *testing.T) {
	s := example()
	var e codec.Encoder
	if err := s.Encode(&e); err != nil {
		t.Fatal(err)
	}
	d := codec.NewDecoder(e.Payload())
	back := model.DecodeSum(d)
	if err := d.Close(); err != nil || !expansion.Fits(back.Terms[1], 1, 2) || back.Intercept[1] != 0.5 || !kernel.Equal(back.Terms[0].Kernel, s.Terms[0].Kernel) {
		t.Errorf("%v, error %v", back, err)
	}
	s.Intercept = []float64{1}
	e = codec.Encoder{}
	if err := s.Encode(&e); err != nil {
		t.Fatal(err)
	}
	d = codec.NewDecoder(e.Payload())
	if model.DecodeSum(d); !errors.Is(d.Close(), rkhs.ErrFormat) {
		t.Error("terms of two outputs with one constant were read")
	}
}

func TestPredictRefuses(t *testing.T) {
	s, wide := example(), mat.NewDense(1, 2, nil)
	histogram := model.Sum{Inputs: 2, Intercept: []float64{0}, Terms: []kernel.Expansion{{Kernel: kernel.Hellinger{}}}}
	for _, c := range []struct {
		name string
		f    model.Function
		x    mat.Matrix
		want error
	}{
		{"unfitted", new(model.Sum), wide, rkhs.ErrUnfitted},
		{"nil", &s, nil, rkhs.ErrEmpty},
		{"wide", &s, wide, rkhs.ErrShape},
		{"NaN", &s, mat.NewDense(1, 1, []float64{math.NaN()}), rkhs.ErrNotFinite},
		{"domain", &histogram, mat.NewDense(1, 2, []float64{1, -1}), rkhs.ErrDomain},
	} {
		if _, err := model.Predict("pkg", c.f, c.x); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "pkg: ") {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if err := model.PredictTo("pkg", &s, mat.NewDense(3, 2, nil), mat.NewDense(1, 1, nil)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("dst of three rows for one: error %v", err)
	}
}

func TestSumCheck(t *testing.T) {
	for _, damage := range []func(*model.Sum){
		func(s *model.Sum) { s.Intercept[1] = math.Inf(1) },
		func(s *model.Sum) { s.Terms[1].Weights.Set(0, 1, math.NaN()) },
	} {
		s := example()
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		damage(&s)
		if err := s.Check(); !errors.Is(err, rkhs.ErrDiverged) {
			t.Errorf("error %v", err)
		}
	}
}

// scores is a Function that gives its rows back.
type scores struct{ q int }

func (s scores) Dims() (int, int)           { return s.q, s.q }
func (scores) Accepts(compute.Points) error { return nil }
func (scores) EvalTo(d compute.Matrix, x compute.Points) error {
	x.DenseTo(d)
	return nil
}

func TestLabels(t *testing.T) {
	three := model.Labels{Names: []int{-1, 4, 7}}
	got, err := three.Predict("pkg", scores{3}, mat.NewDense(2, 3, []float64{0, 2, 1, 3, 3, 1}))
	if err != nil || got.At(0, 0) != 4 || got.At(1, 0) != -1 {
		t.Errorf("labels %v, error %v", got, err)
	}
	two := model.Labels{Names: []int{3, 5}}
	p, err := two.Proba("pkg", new(calibrate.Classes), loss.Logistic{}, scores{1}, mat.NewDense(1, 1, []float64{math.Log(3)}))
	if err != nil || math.Abs(p.At(0, 0)-0.25) > 1e-15 || math.Abs(p.At(0, 1)-0.75) > 1e-15 {
		t.Errorf("probabilities %v, error %v", p, err)
	}
	p, err = three.Proba("pkg", new(calibrate.Classes), loss.Softmax{}, scores{3}, mat.NewDense(1, 3, []float64{0, 0, math.Log(2)}))
	if err != nil || math.Abs(p.At(0, 2)-0.5) > 1e-15 {
		t.Errorf("probabilities %v, error %v", p, err)
	}
	if _, err := three.Proba("pkg", new(calibrate.Classes), loss.MulticlassHinge{}, scores{3}, mat.NewDense(1, 3, nil)); !errors.Is(err, rkhs.ErrNoCalibration) {
		t.Errorf("a hinge has probabilities: error %v", err)
	}
}
