package onnx_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/fitted"
	"github.com/rkhs-go/rkhs/onnx"
)

// rowsOf returns rows as an input.
func rowsOf(x *mat.Dense, o onnx.Options) array {
	n, d := x.Dims()
	a := array{Type: "float64", Dims: []int{n, d}}
	if o.Float32 {
		a.Type = "float32"
	}
	for _, v := range x.RawMatrix().Data {
		a.Data = append(a.Data, v)
	}
	return a
}

// single returns x rounded to single precision.
func single(x *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, y)
	return y
}

// queries are new rows and some training rows.
func queries() *mat.Dense {
	var x mat.Dense
	x.Stack(fitted.Draw(40, 3, 9).X, fitted.Draw(120, 3, 1).X.Slice(0, 20, 0, 3))
	return &x
}

// tasksOf are the models in double and in single precision.
func tasksOf(t *testing.T, models []fitted.Model, o onnx.Options) (tasks []task, x *mat.Dense) {
	t.Helper()
	x = queries()
	if o.Float32 {
		x = single(x)
	}
	for _, m := range models {
		var b bytes.Buffer
		if err := onnx.Write(&b, m.Model, o); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		tasks = append(tasks, task{m.Name, b.Bytes(), map[string]array{"x": rowsOf(x, o)}})
	}
	return tasks, x
}

// scorer is a model of scores.
type scorer interface {
	Scores(x mat.Matrix) (*mat.Dense, error)
}

// compare compares the outputs of a runtime with the predictions of the model. Numbers must agree
// within a tolerance relative to their spread, and labels unless scores are tied within the
// tolerance.
func compare(t *testing.T, name string, r result, m rkhs.Model, x *mat.Dense, tolerance float64) (worst float64) {
	t.Helper()
	if r.Error != "" {
		t.Errorf("%s: %s", name, r.Error)
		return math.NaN()
	}
	want, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	var scores *mat.Dense
	if s, ok := m.(scorer); ok {
		if scores, err = s.Scores(x); err != nil {
			t.Fatal(err)
		}
		worst = off(t, name+", scores", r.Outputs["scores"], scores)
	}
	if p, ok := r.Outputs["predictions"]; ok {
		worst = max(worst, off(t, name, p, want))
	} else {
		sameLabels(t, name, r.Outputs["labels"], want, scores, tolerance)
	}
	if c, ok := m.(rkhs.Probabilistic); ok {
		if proba, err := c.Proba(x); err == nil {
			worst = max(worst, off(t, name+", probabilities", r.Outputs["probabilities"], proba))
		} else if !errors.Is(err, rkhs.ErrNoCalibration) {
			t.Fatal(err)
		}
	}
	if !(worst <= tolerance) {
		t.Errorf("%s: off by %.2g of the spread", name, worst)
	}
	return worst
}

// off returns the largest error of a over the spread of want.
func off(t *testing.T, name string, a array, want *mat.Dense) (worst float64) {
	t.Helper()
	n, q := want.Dims()
	if len(a.Dims) != 2 || a.Dims[0] != n || a.Dims[1] != q || len(a.Data) != n*q {
		t.Errorf("%s: %v, want %d×%d", name, a.Dims, n, q)
		return math.NaN()
	}
	for i, v := range want.RawMatrix().Data {
		worst = math.Max(worst, math.Abs(a.number(i)-v))
	}
	return worst / spread(want)
}

func spread(m *mat.Dense) float64 {
	if s := mat.Max(m) - mat.Min(m); s > 0 {
		return s
	}
	return math.Max(1, math.Abs(mat.Max(m)))
}

// sameLabels counts different labels. Labels must be equal in double precision. They may differ in
// single precision where scores are nearly tied.
func sameLabels(t *testing.T, name string, a array, want, scores *mat.Dense, tolerance float64) {
	t.Helper()
	n, q := scores.Dims()
	if len(a.Dims) != 1 || a.Dims[0] != n {
		t.Errorf("%s: labels are %v", name, a.Dims)
		return
	}
	for i := range n {
		if a.number(i) == want.At(i, 0) {
			continue
		}
		near := false
		for j := range q {
			v := scores.At(i, j)
			near = near || math.Abs(v) < tolerance*spread(scores)
			for k := range j {
				near = near || math.Abs(v-scores.At(i, k)) < tolerance*spread(scores)
			}
		}
		if !near {
			t.Errorf("%s: row %d has label %v, want %v, scores %v", name, i, a.Data[i], want.At(i, 0), mat.Row(nil, i, scores))
		}
	}
}

// precisions are the options with the tolerance of outputs as a fraction of their spread.
var precisions = []struct {
	o         onnx.Options
	tolerance float64
}{{onnx.Options{}, 1e-9}, {onnx.Options{Float32: true}, 1e-4}}

// The results of onnxruntime equal the predictions of the models.
func TestRuntime(t *testing.T) {
	comparesAll(t, func(tasks []task) []result { return runtime(t, tasks) })
}

// TestEvaluator is TestRuntime with the evaluator of these tests, which needs no installation.
func TestEvaluator(t *testing.T) { comparesAll(t, evaluate) }

func comparesAll(t *testing.T, run func([]task) []result) {
	models, err := fitted.Models()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range precisions {
		tasks, x := tasksOf(t, models, c.o)
		worst := 0.0
		for i, r := range run(tasks) {
			worst = max(worst, compare(t, models[i].Name, r, models[i].Model, x, c.tolerance))
		}
		t.Logf("%+v: off by %.2g of the spread at most", c.o, worst)
	}
}
