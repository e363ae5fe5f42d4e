package dataset_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// Integer weights give the scores of repeated rows. Rows of weight zero do not count.
func TestWeightedScores(t *testing.T) {
	weights := []float64{2, 0, 1, 3}
	repeated := func(m *mat.Dense) *mat.Dense {
		_, c := m.Dims()
		var data []float64
		for i, w := range weights {
			for range int(w) {
				data = append(data, m.RawRowView(i)...)
			}
		}
		return mat.NewDense(len(data)/c, c, data)
	}
	numbers := [2]*mat.Dense{column(1, 90, 2.5, -1), column(1.5, 2, 2, 0.25)}
	labels := [2]*mat.Dense{column(1, 2, 1, 1), column(1, 2, 2, 1)}
	probabilities := mat.NewDense(4, 2, []float64{0.75, 0.25, 0.5, 0.5, 0.125, 0.875, 0.5, 0.5})
	trace := func(p, y mat.Matrix) (float64, error) {
		c, err := dataset.Confusion(p, y)
		if err != nil {
			return 0, err
		}
		return mat.Trace(c.Counts), nil
	}
	for name, c := range map[string]struct {
		of    [2]*mat.Dense
		score func(p, y mat.Matrix) (float64, error)
	}{
		"RMSE":      {numbers, dataset.RMSE},
		"MAE":       {numbers, dataset.MAE},
		"R2":        {numbers, dataset.R2},
		"Pinball":   {numbers, func(p, y mat.Matrix) (float64, error) { return dataset.Pinball(p, y, 0.9) }},
		"Accuracy":  {labels, dataset.Accuracy},
		"Confusion": {labels, trace},
		"AUC":       {[2]*mat.Dense{numbers[0], labels[1]}, dataset.AUC},
		"LogLoss": {[2]*mat.Dense{probabilities, labels[1]}, func(p, y mat.Matrix) (float64, error) {
			return dataset.LogLoss(p, y, []int{1, 2})
		}},
	} {
		got, err := c.score(c.of[0], rkhs.Weighted{Matrix: c.of[1], Weights: weights})
		want, other := c.score(repeated(c.of[0]), repeated(c.of[1]))
		if err != nil || other != nil || !(math.Abs(got-want) < 1e-14) {
			t.Errorf("%s: %v with weights, %v of rows repeated, errors %v, %v", name, got, want, err, other)
		}
		if _, err := c.score(c.of[0], rkhs.Weighted{Matrix: c.of[1], Weights: []float64{1, 1, -1, 1}}); !errors.Is(err, rkhs.ErrDomain) || !strings.Contains(err.Error(), "row 2") {
			t.Errorf("%s: a negative weight: error %v", name, err)
		}
	}
}

// All labels have equal total weight, and the rows of a label keep their ratios.
func TestBalanced(t *testing.T) {
	x, labels := column(0, 1, 2, 3, 4), column(7, 7, 7, 2, 2)
	for _, c := range []struct {
		rows mat.Matrix
		want []float64
	}{
		{x, []float64{5. / 6, 5. / 6, 5. / 6, 5. / 4, 5. / 4}},
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, 2, 1, 0, 4}}, []float64{1, 2, 1, 0, 4}},
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, 2, 1, 0, 0}}, []float64{1, 2, 1, 0, 0}},
	} {
		got, err := dataset.Balanced(c.rows, labels)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range c.want {
			if math.Abs(got.Weights[i]-w) > 1e-15 {
				t.Errorf("weights %v, want %v", got.Weights, c.want)
			}
		}
		if !mat.Equal(got, x) {
			t.Errorf("rows %v", got.Matrix)
		}
	}
}

func TestWeighClasses(t *testing.T) {
	x, labels := column(0, 1, 2), column(7, -1, 2)
	got, err := dataset.WeighClasses(rkhs.Weighted{Matrix: x, Weights: []float64{1, 2, 3}}, labels, map[int]float64{7: 10, 2: 0, 99: 5})
	if err != nil || !mat.Equal(column(got.Weights...), column(10, 2, 0)) {
		t.Errorf("weights %v, error %v", got.Weights, err)
	}
	for _, c := range []struct {
		x, labels mat.Matrix
		weights   map[int]float64
		want      error
		says      string
	}{
		{x, labels, map[int]float64{7: -1}, rkhs.ErrDomain, "label 7"},
		{x, labels, map[int]float64{2: math.NaN()}, rkhs.ErrNotFinite, "label 2"},
		{x, column(1, 2), nil, rkhs.ErrShape, "3 rows, labels 2"},
		{x, column(1, 2, 0.5), nil, rkhs.ErrLabels, "row 2"},
		{nil, labels, nil, rkhs.ErrEmpty, "x is nil"},
		{rkhs.Weighted{Matrix: x, Weights: []float64{1, -2, 3}}, labels, nil, rkhs.ErrDomain, "row 1"},
	} {
		if _, err := dataset.WeighClasses(c.x, c.labels, c.weights); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "dataset: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}

// A column of a CSV file has the weights of the rows.
func TestReadWeights(t *testing.T) {
	const file = "a,b,y,w\n1,2,3,0.5\n4,5,6,2\n"
	for _, opts := range []dataset.Options{{Weights: -1}, {Weights: 4, Target: 3}} {
		s, err := dataset.ReadCSV(strings.NewReader(file), opts)
		if err != nil {
			t.Fatal(err)
		}
		w, ok := s.Select([]int{1, 0}).Rows().(rkhs.Weighted)
		if !ok || !mat.Equal(w, mat.NewDense(2, 2, []float64{4, 5, 1, 2})) || w.Weights[0] != 2 || w.Weights[1] != 0.5 || s.Y[1] != 6 {
			t.Errorf("%+v: %v, %v", opts, s, w)
		}
	}
	for _, c := range []struct {
		file string
		opts dataset.Options
		want error
		says string
	}{
		{"1,2,3\n1,2,-3\n", dataset.Options{Weights: 3}, rkhs.ErrDomain, "line 2, column 3"},
		{"1,2,3\n", dataset.Options{Weights: 3, Target: 3}, rkhs.ErrOption, "same column"},
		{"1,2,3\n", dataset.Options{Weights: 4}, rkhs.ErrOption, "Weights = 4"},
		{"1,2\n", dataset.Options{Weights: 1}, rkhs.ErrEmpty, "only columns"},
	} {
		if _, err := dataset.ReadCSV(strings.NewReader(c.file), c.opts); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v, want %q", c.file, err, c.says)
		}
	}
}
