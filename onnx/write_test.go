package onnx_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/fitted"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/onnx"
	"github.com/rkhs-go/rkhs/ridge"
)

func ridgeOf(t *testing.T, k kernel.Kernel, x, y mat.Matrix) *ridge.Model {
	t.Helper()
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: k, Ridge: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The positions and contents of the parts of a file follow the standard.
func TestFile(t *testing.T) {
	s := fitted.Draw(30, 3, 1)
	c, err := ridge.FitClassifier(context.Background(), s.X, s.Three, nil)
	if err != nil {
		t.Fatal(err)
	}
	for o, real := range map[onnx.Options]int{{}: typeDouble, {Float32: true}: typeFloat} {
		var b bytes.Buffer
		if err := onnx.Write(&b, c, o); err != nil {
			t.Fatal(err)
		}
		f, err := open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if f.ir != 7 || f.opsets[""] != 13 || f.opsets["ai.onnx.ml"] != 2 {
			t.Errorf("version %d, operators of %v", f.ir, f.opsets)
		}
		if in := f.inputs[0]; len(f.inputs) != 1 || in.name != "x" || in.kind != real || len(in.dims) != 2 || in.dims[0] != 0 || in.dims[1] != 3 {
			t.Errorf("inputs %+v", f.inputs)
		}
		scores, labels := f.outputs[0], f.outputs[1]
		if len(f.outputs) != 3 || f.outputs[2].name != "probabilities" || f.outputs[2].dims[1] != 3 || scores.name != "scores" || scores.kind != real || scores.dims[1] != 3 || labels.name != "labels" || labels.kind != typeInt64 || len(labels.dims) != 1 {
			t.Errorf("outputs %+v", f.outputs)
		}
	}
}

type own struct{}

func (own) Eval(x, z []float64) float64 { return 1 + x[0]*z[0] }

type bare struct{ rkhs.Model }

func TestRefuses(t *testing.T) {
	s := fitted.Draw(20, 3, 1)
	mine := ridgeOf(t, own{}, s.X, s.Y)
	arc, err := doublysgd.Fit(context.Background(), s.X, s.Y, &doublysgd.Options{Kernel: kernel.ArcCosine{Order: 1}, Features: 64, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		t.Fatal(err)
	}
	wide := &rkhs.Sparse{Rows: 3, Cols: 1 << 27, Offsets: []int{0, 1, 2, 3}, Columns: []int32{0, 5, 1 << 26}, Values: []float64{1, 2, 3}}
	large := ridgeOf(t, kernel.Gaussian{Sigma: 1}, wide, mat.NewDense(3, 1, []float64{1, 2, 3}))
	far := mat.DenseCopyOf(s.Y)
	far.Scale(1e100, far)
	for name, c := range map[string]struct {
		w     io.Writer
		m     rkhs.Model
		o     onnx.Options
		want  error
		names string
	}{
		"nil":             {w: io.Discard, want: rkhs.ErrUnfitted},
		"a nil model":     {w: io.Discard, m: (*ridge.Model)(nil), want: rkhs.ErrUnfitted},
		"not fitted":      {w: io.Discard, m: new(doublysgd.Model), want: rkhs.ErrUnfitted},
		"another's model": {w: io.Discard, m: bare{mine}, want: rkhs.ErrOption, names: "bare"},
		"another kernel":  {w: io.Discard, m: mine, want: rkhs.ErrOption, names: "own"},
		"Dirichlet":       {w: io.Discard, m: ridgeOf(t, kernel.Sum{kernel.Linear{}, kernel.Dirichlet{Sigma: 1}}, s.X, s.Y), want: rkhs.ErrOption, names: "Dirichlet"},
		"Matern":          {w: io.Discard, m: ridgeOf(t, kernel.Matern{Nu: 0.7, Length: 1}, s.X, s.Y), want: rkhs.ErrOption, names: "0.7"},
		"smooth Matern":   {w: io.Discard, m: ridgeOf(t, kernel.Matern{Nu: 1e7 + 0.5, Length: 1}, s.X, s.Y), want: rkhs.ErrOption, names: "Matern"},
		"other features":  {w: io.Discard, m: arc, want: rkhs.ErrOption, names: "ArcCosine"},
		"a large file":    {w: io.Discard, m: large, want: rkhs.ErrMemory, names: "GiB"},
		"large numbers":   {w: io.Discard, m: ridgeOf(t, kernel.Gaussian{Sigma: 1}, s.X, far), o: onnx.Options{Float32: true}, want: rkhs.ErrOption},
		"no writer":       {m: ridgeOf(t, kernel.Linear{}, s.X, s.Y), want: rkhs.ErrOption},
	} {
		err := onnx.Write(c.w, c.m, c.o)
		if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "onnx: ") || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Rows and points far from the origin are accurate, for few points in many columns and for many
// points in few columns.
func TestShapes(t *testing.T) {
	var models []fitted.Model
	var rows []*mat.Dense
	for _, size := range []struct{ n, d int }{{3, 40}, {700, 60}, {20, 1}, {1, 2}} {
		s := fitted.Draw(size.n, size.d, 4)
		s.X.Apply(func(_, _ int, v float64) float64 { return v + 1e4 }, s.X)
		for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 4}, kernel.Laplacian{Sigma: 100}, kernel.Matern{Nu: 0.5, Length: 10}, kernel.Cauchy{Sigma: 9},
			kernel.RationalQuadratic{Alpha: 1e5, Length: 8}, kernel.Product{kernel.Gaussian{Sigma: 5}, kernel.Gaussian{Sigma: 7}}} {
			models = append(models, fitted.Model{Name: "", Model: ridgeOf(t, k, s.X, s.Y)})
			rows = append(rows, mat.DenseCopyOf(s.X.Slice(0, min(size.n, 8), 0, size.d)))
		}
	}
	for i, m := range models {
		for _, c := range precisions {
			x := rows[i]
			if c.o.Float32 {
				x = single(x)
			}
			var b bytes.Buffer
			if err := onnx.Write(&b, m.Model, c.o); err != nil {
				t.Fatal(err)
			}
			r := evaluate([]task{{"", b.Bytes(), map[string]array{"x": rowsOf(x, c.o)}}})
			compare(t, "far away", r[0], m.Model, x, c.tolerance)
		}
	}
}

// The graph of a polynomial of many columns does not list its coefficients.
func TestWidePolynomial(t *testing.T) {
	s := fitted.Draw(25, 30, 5)
	s.X.Apply(func(_, j int, v float64) float64 { return (v - float64(j) - 3) / 4 }, s.X)
	for _, k := range []kernel.Kernel{kernel.Polynomial{Degree: 5, Scale: 0.2, Offset: 1}, kernel.DotProduct{Coefficients: []float64{1, 1, 0, 0.2}}, kernel.DotProduct{Coefficients: []float64{2}}} {
		m := ridgeOf(t, k, s.X, s.Y)
		var b bytes.Buffer
		if err := onnx.Write(&b, m, onnx.Options{}); err != nil {
			t.Fatal(err)
		}
		compare(t, "wide", evaluate([]task{{"", b.Bytes(), map[string]array{"x": rowsOf(s.X, onnx.Options{})}}})[0], m, s.X, 1e-9)
	}
}

// The first class wins tied votes, and the lower class of a pair wins a score of zero.
func TestTies(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{-1, 0, 1})
	c, err := ridge.FitClassifier(context.Background(), x, mat.NewDense(3, 1, []float64{4, 5, 4}), &ridge.Options{Kernel: kernel.Linear{}, Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := c.Scores(x)
	if err != nil || math.Abs(scores.At(0, 0)-scores.At(2, 0)) > 1e-12 {
		t.Fatalf("scores %v, error %v", scores, err)
	}
	var b bytes.Buffer
	if err := onnx.Write(&b, c, onnx.Options{}); err != nil {
		t.Fatal(err)
	}
	compare(t, "ties", evaluate([]task{{"", b.Bytes(), map[string]array{"x": rowsOf(x, onnx.Options{})}}})[0], c, x, 1e-12)
}

// Outlying points, such as rows with a code for missing numbers, must not reduce the accuracy of
// distances between other points or between themselves.
func TestFarPoints(t *testing.T) {
	s := fitted.Draw(60, 3, 1)
	for i := range 6 {
		s.X.Set(i, 1, 1e9+float64(i))
	}
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.Matern{Nu: 1.5, Length: 2}, kernel.RationalQuadratic{Alpha: 1, Length: 2},
		kernel.ARD{Of: kernel.Gaussian{Sigma: 2}, Scales: []float64{1, 2, 3}}} {
		m := ridgeOf(t, k, s.X, s.Y)
		var b bytes.Buffer
		if err := onnx.Write(&b, m, onnx.Options{}); err != nil {
			t.Fatal(err)
		}
		r := evaluate([]task{{fmt.Sprint(k), b.Bytes(), map[string]array{"x": rowsOf(s.X, onnx.Options{})}}})
		compare(t, fmt.Sprint(k), r[0], m, s.X, 1e-8)
	}
}
