package input_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// WeighedPair removes rows of weight zero. Other rows keep their weights.
func TestWeighedPair(t *testing.T) {
	x, y := numbered(4, 2), numbered(4, 1)
	for name, m := range kinds(x) {
		w, err := input.WeighedPair("pkg", input.Dense, rkhs.Weighted{Matrix: m, Weights: []float64{2, 0, 1e-101, 1}}, y)
		if err != nil || !slices.Equal(w.Weights, []float64{2, 1}) || !slices.Equal(w.Kept, []int{0, 3}) ||
			!slices.Equal(w.X.Data, []float64{0, 1, 30, 31}) || !slices.Equal(w.Y.Data, []float64{0, 30}) {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
	w, err := input.WeighedPair("pkg", input.Dense, x, y)
	if err != nil || w.Weights != nil || w.Kept != nil || w.X.Rows != 4 {
		t.Errorf("no weights: %+v, error %v", w, err)
	}
	w, err = input.WeighedRows("pkg", input.Dense, "x", &rkhs.Weighted{Matrix: x, Weights: []float64{0, 0, 3, 0}})
	if err != nil || w.X.Rows != 1 || w.Y.Rows != 0 {
		t.Errorf("rows alone: %+v, error %v", w, err)
	}
}

// Labels that occur only in rows without weight do not count.
func TestWeighedClasses(t *testing.T) {
	weigh := func(weights ...float64) rkhs.Weighted { return rkhs.Weighted{Matrix: numbered(4, 1), Weights: weights} }
	labels := mat.NewDense(4, 1, []float64{7, 5, 9, 7})
	w, names, index, err := input.WeighedClasses("pkg", input.Dense, weigh(1, 3, 0, 2), labels)
	if err != nil || !slices.Equal(names, []int{5, 7}) || !slices.Equal(index, []int{1, 0, 1}) || !slices.Equal(w.Weights, []float64{0.5, 1.5, 1}) {
		t.Errorf("%+v, labels %v, classes %v, error %v", w, names, index, err)
	}
	if _, _, _, err := input.WeighedClasses("pkg", input.Dense, weigh(1, 0, 0, 2), labels); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("a single label: error %v", err)
	}
}

func TestMeanOne(t *testing.T) {
	for _, c := range []struct{ weights, want []float64 }{
		{nil, nil},
		{[]float64{3, 3, 3}, nil},
		{[]float64{1, 3}, []float64{0.5, 1.5}},
		{[]float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64 / 4}, []float64{4. / 3, 4. / 3, 1. / 3}},
	} {
		got := input.MeanOne(c.weights)
		if len(got) != len(c.want) || (c.want == nil) != (got == nil) {
			t.Fatalf("%v: %v, want %v", c.weights, got, c.want)
		}
		for i, v := range c.want {
			if math.Abs(got[i]-v) > 1e-15 {
				t.Errorf("%v: %v, want %v", c.weights, got, c.want)
			}
		}
	}
}

func TestWeightsRefused(t *testing.T) {
	x, y := numbered(3, 2), numbered(3, 1)
	for _, c := range []struct {
		m       mat.Matrix
		want    error
		message string
	}{
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, -1, 1}}, rkhs.ErrDomain, "the weight of row 1 of x is -1"},
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, 1, math.NaN()}}, rkhs.ErrNotFinite, "the weight of row 2 of x is NaN"},
		{rkhs.Weighted{Matrix: x, Weights: []float64{math.Inf(1), 1, 1}}, rkhs.ErrNotFinite, "row 0"},
		{rkhs.Weighted{Matrix: x, Weights: []float64{0, 0, 0}}, rkhs.ErrEmpty, "all 3 weights of x are zero"},
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, 1}}, rkhs.ErrShape, "x has 3 rows and 2 weights"},
		{rkhs.Weighted{Weights: []float64{1, 1}}, rkhs.ErrEmpty, "nil"},
		{rkhs.Weighted{Matrix: mat.Transpose{}, Weights: []float64{1}}, rkhs.ErrEmpty, "without dimensions"},
		{rkhs.Weighted{Matrix: rkhs.Weighted{Matrix: x, Weights: []float64{1, 1, 1}}, Weights: []float64{1, 1, 1}}, rkhs.ErrOption, "weights"},
		{(*rkhs.Weighted)(nil), rkhs.ErrEmpty, "nil"},
	} {
		if _, err := input.WeighedPair("pkg", input.Dense, c.m, y); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "pkg: ") || !strings.Contains(err.Error(), c.message) {
			t.Errorf("error %v, want %q", err, c.message)
		}
	}
	// Functions without weights return an error for weighted rows.
	if _, err := input.View("pkg", "x", rkhs.Weighted{Matrix: x, Weights: []float64{1, 1, 1}}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("weights that nobody asks for: error %v", err)
	}
}
