package ridge_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// line returns rows on a line, their sines and the signs of the sines.
func line(n int) (x, y, labels *mat.Dense) {
	x, y, labels = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i)/10)
		y.Set(i, 0, math.Sin(float64(i)/10))
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	return x, y, labels
}

// NewModel with the parts of a model predicts the same bits, also from its file.
func TestNewModel(t *testing.T) {
	x, _, labels := line(80)
	c, err := ridge.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ridge.NewModel(c.Model().Expansion(), c.Model().Intercept(), ridge.Report{Rows: 80, Ridge: c.Report().Ridge})
	if err != nil {
		t.Fatal(err)
	}
	again, err := ridge.NewClassifier(m, c.Labels())
	if err != nil {
		t.Fatal(err)
	}
	file, err := again.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var loaded ridge.Classifier
	if err := loaded.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	want, _ := c.Scores(x)
	got, err := loaded.Scores(x)
	if err != nil || !mat.Equal(got, want) || !slices.Equal(loaded.Labels(), c.Labels()) || m.Report().ModelOrder != c.Model().ModelOrder() {
		t.Errorf("other scores, labels %v, order %d, %v", loaded.Labels(), m.Report().ModelOrder, err)
	}
	if _, err := loaded.Proba(x); !errors.Is(err, rkhs.ErrNoCalibration) {
		t.Errorf("probabilities: %v", err)
	}
}

func TestNewModelErrors(t *testing.T) {
	x, y, _ := line(5)
	of := func(points, weights *mat.Dense) kernel.Expansion {
		return kernel.Expansion{Kernel: kernel.Gaussian{Sigma: 1}, Points: points, Weights: weights}
	}
	for name, c := range map[string]struct {
		f      kernel.Expansion
		b      []float64
		report ridge.Report
		want   error
	}{
		"zero":       {kernel.Expansion{}, nil, ridge.Report{}, rkhs.ErrShape},
		"weights":    {of(x, y.Slice(0, 4, 0, 1).(*mat.Dense)), []float64{0}, ridge.Report{}, rkhs.ErrShape},
		"constants":  {of(x, y), []float64{0, 0}, ridge.Report{}, rkhs.ErrShape},
		"not finite": {of(x, y), []float64{math.NaN()}, ridge.Report{}, rkhs.ErrNotFinite},
		"weight":     {of(x, mat.NewDense(5, 1, []float64{0, 0, math.Inf(1), 0, 0})), []float64{0}, ridge.Report{}, rkhs.ErrNotFinite},
		"report":     {of(x, y), []float64{0}, ridge.Report{Norm: []float64{1, 2}}, rkhs.ErrShape},
		"kernel":     {kernel.Expansion{Points: x, Weights: y}, []float64{0}, ridge.Report{}, rkhs.ErrOption},
	} {
		if m, err := ridge.NewModel(c.f, c.b, c.report); m != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	m, err := ridge.NewModel(of(x, y), []float64{0}, ridge.Report{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m      *ridge.Model
		labels []int
		want   error
	}{
		"nil":    {nil, []int{1, 2}, rkhs.ErrUnfitted},
		"one":    {m, []int{1}, rkhs.ErrLabels},
		"order":  {m, []int{2, 1}, rkhs.ErrLabels},
		"scores": {m, []int{1, 2, 3}, rkhs.ErrShape},
	} {
		if got, err := ridge.NewClassifier(c.m, c.labels); got != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
