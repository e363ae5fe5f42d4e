package slkl_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// The files below are written by hand in version 1 of the payloads.

// modelV1 is the payload of a model with one kernel.
type modelV1 struct {
	inputs              int
	shared              bool
	intercept           []float64
	status              int
	points, weights, mu blas64.General
}

func matrix(r, c int, v ...float64) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(c, 1), Data: v}
}

// validModel is f(x) = (1 + 3·k(x, 0), 2 − k(x, 1)) with σ = 1.
func validModel() modelV1 {
	return modelV1{inputs: 1, intercept: []float64{1, 2}, status: 1,
		points: matrix(2, 1, 0, 1), weights: matrix(2, 2, 3, 0, 0, -1), mu: matrix(2, 2, 4, 0, 0, 5)}
}

func (m modelV1) write(t *testing.T, e *codec.Encoder) {
	t.Helper()
	e.Int(m.inputs)
	e.Float64s(m.intercept)
	e.Int(1)
	k, err := kernel.Marshal(kernel.Gaussian{Sigma: 1})
	if err != nil {
		t.Fatal(err)
	}
	e.Bytes(k)
	e.Matrix(m.points)
	e.Matrix(m.weights)
	e.Matrix(m.mu)
	e.Bool(m.shared)
	e.Uint64(77)
	e.Float64(2)
	reports := len(m.intercept)
	if m.shared {
		reports = 1
	}
	for range reports {
		for _, v := range []float64{0.01, 50, 7, 1e-9, 1e-8} {
			e.Float64(v)
		}
		for _, v := range []int{1, 10, 20, 3} {
			e.Int(v)
		}
		e.Int(m.status)
	}
}

func (m modelV1) file(t *testing.T) []byte {
	var e codec.Encoder
	m.write(t, &e)
	return codec.Marshal("slkl model", 1, e.Payload())
}

func TestModelOfVersion1(t *testing.T) {
	var m slkl.Model
	if err := m.UnmarshalBinary(validModel().file(t)); err != nil {
		t.Fatal(err)
	}
	p := predict(t, &m, mat.NewDense(1, 1, []float64{1}))
	if want := 1 + 3*math.Exp(-0.5); !near(p.At(0, 0), want, 1e-15) || p.At(0, 1) != 1 {
		t.Errorf("prediction %v, want %v and 1", mat.Formatted(p), want)
	}
	if k := m.Kernel(1).Eval([]float64{1}, []float64{0}); !near(k, 5*math.Exp(-0.5), 1e-15) {
		t.Errorf("learned kernel %v, want %v", k, 5*math.Exp(-0.5))
	}
	r := m.Report()
	want := slkl.OutputReport{Penalty: 0.01, PenaltyMax: 50, Objective: 7, Gap: 1e-9, KKT: 1e-8, ModelOrder: 1, Steps: 10, Solves: 20, Refactorisations: 3, Status: 1}
	if r.Outputs[1] != want || r.Ridge != 2 || r.Kernels[0] != (kernel.Gaussian{Sigma: 1}) || m.Seed() != 77 || m.ModelOrder() != 2 {
		t.Errorf("seed %d, order %d, report %+v, want %+v", m.Seed(), m.ModelOrder(), r, want)
	}
}

func TestModelOfVersion1Refused(t *testing.T) {
	model := saved{kind: "slkl model", data: validModel().file(t), empty: files(t)[0].empty}
	for name, change := range map[string]func(*modelV1){
		"no inputs":            func(m *modelV1) { m.inputs = 0 },
		"negative inputs":      func(m *modelV1) { m.inputs = -1 },
		"other inputs":         func(m *modelV1) { m.inputs = 2 },
		"no outputs":           func(m *modelV1) { m.intercept = nil },
		"other outputs":        func(m *modelV1) { m.intercept = []float64{1} },
		"infinite intercept":   func(m *modelV1) { m.intercept[1] = math.Inf(1) },
		"unknown status":       func(m *modelV1) { m.status = 6 },
		"negative status":      func(m *modelV1) { m.status = -1 },
		"shared, mu for each":  func(m *modelV1) { m.shared = true },
		"fewer weights":        func(m *modelV1) { m.weights = matrix(1, 2, 3, 0) },
		"weights of one":       func(m *modelV1) { m.weights = matrix(2, 1, 3, 0) },
		"fewer mu":             func(m *modelV1) { m.mu = matrix(1, 2, 4, 0) },
		"mu of one":            func(m *modelV1) { m.mu = matrix(2, 1, 4, 0) },
		"negative mu":          func(m *modelV1) { m.mu.Data[3] = -5 },
		"point that is no one": func(m *modelV1) { m.points.Data[0] = math.NaN() },
		"weight without bound": func(m *modelV1) { m.weights.Data[0] = math.Inf(-1) },
	} {
		t.Run(name, func(t *testing.T) {
			m := validModel()
			change(&m)
			model.refused(t, m.file(t))
		})
	}
}

// TestClassifierOfVersion1 puts labels before a model.
func TestClassifierOfVersion1(t *testing.T) {
	file := func(outputs int, labels ...int) []byte {
		m := validModel()
		if outputs == 1 {
			m.intercept, m.weights, m.mu = []float64{1}, matrix(2, 1, 3, 0), matrix(2, 1, 4, 0)
		}
		var e codec.Encoder
		e.Ints(labels)
		m.write(t, &e)
		return codec.Marshal("slkl classifier", 1, e.Payload())
	}
	c := saved{kind: "slkl classifier", data: file(1, -4, 9), empty: files(t)[1].empty}
	var v slkl.Classifier
	if err := v.UnmarshalBinary(c.data); err != nil {
		t.Fatal(err)
	}
	if p := predict(t, &v, mat.NewDense(1, 1, []float64{0})).At(0, 0); p != 9 {
		t.Errorf("label %v, want 9", p)
	}
	for name, bad := range map[string][]byte{
		"no label": file(1), "one label": file(1, 5), "two labels, two outputs": file(2, 1, 2), "three labels": file(1, 1, 2, 3),
		"equal labels": file(1, 4, 4), "falling labels": file(1, 4, 3),
	} {
		t.Run(name, func(t *testing.T) { c.refused(t, bad) })
	}
}

// learnerV1 is the payload of a learner of one landmark and one output.
type learnerV1 struct {
	penalty, ridge float64
	folds, order   int
	grid           []float64
	kernels, rows  int
	outputs        int
	points         blas64.General
	n              []int // rows in each fold
	meanC          []float64
	cc             blas64.General
}

// validLearner has seen 3 rows in its first fold and 2 in its second.
func validLearner() learnerV1 {
	return learnerV1{ridge: 1, folds: 2, grid: []float64{0.5}, kernels: 1, rows: 5, outputs: 1,
		points: matrix(1, 1, 0.25), n: []int{3, 2}, meanC: []float64{0.5}, cc: matrix(1, 1, 2)}
}

func (a learnerV1) file(t *testing.T) []byte {
	t.Helper()
	var e codec.Encoder
	for _, v := range []float64{a.penalty, a.ridge, 0, 1e-9} {
		e.Float64(v)
	}
	for _, v := range []int{a.folds, 0, 1 << 30, a.order, 0} {
		e.Int(v)
	}
	e.Float64s(a.grid)
	e.Bool(false)
	e.Bool(false)
	e.Uint64(0)
	e.Bool(false)
	e.Int(a.kernels)
	k, err := kernel.Marshal(kernel.Gaussian{Sigma: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range a.kernels {
		e.Bytes(k)
	}
	e.Matrix(a.points)
	e.Int(a.rows)
	e.Int(a.outputs)
	for _, n := range a.n {
		e.Int(n)
		e.Float64s(a.meanC)
		e.Float64s([]float64{1.5})
		e.Matrix(a.cc)
		e.Matrix(matrix(1, 1, 1))
		e.Float64s([]float64{4})
	}
	return codec.Marshal("slkl learner", 1, e.Payload())
}

func TestLearnerOfVersion1(t *testing.T) {
	a := saved{kind: "slkl learner", data: validLearner().file(t), empty: files(t)[2].empty}
	var v slkl.Learner
	if err := v.UnmarshalBinary(a.data); err != nil {
		t.Fatal(err)
	}
	// Both folds have the same means: P = 2 + 2, Cᵀy = 1 + 1, and c_mᵀy is √PenaltyMax.
	m := solve(t, &v)
	if r := m.Report().Outputs[0]; v.Rows() != 5 || r.PenaltyMax != 4 {
		t.Errorf("%d rows, report %+v", v.Rows(), r)
	}
	for name, change := range map[string]func(*learnerV1){
		"negative penalty":  func(a *learnerV1) { a.penalty = -1 },
		"infinite ridge":    func(a *learnerV1) { a.ridge = math.Inf(1) },
		"one fold":          func(a *learnerV1) { a.folds, a.n = 1, []int{5} },
		"folds without end": func(a *learnerV1) { a.folds = 1 << 60 },
		"a fold too few":    func(a *learnerV1) { a.folds = 3 },
		"unknown order":     func(a *learnerV1) { a.order = 2 },
		"order beyond byte": func(a *learnerV1) { a.order = 256 },
		"rising grid":       func(a *learnerV1) { a.grid = []float64{0.1, 0.2} },
		"no kernel":         func(a *learnerV1) { a.kernels = 0 },
		"two kernels":       func(a *learnerV1) { a.kernels = 2 },
		"no points":         func(a *learnerV1) { a.points = matrix(0, 1) },
		"empty points":      func(a *learnerV1) { a.points = matrix(1, 0) },
		"no outputs":        func(a *learnerV1) { a.outputs = 0 },
		"two outputs":       func(a *learnerV1) { a.outputs = 2 },
		"rows too many":     func(a *learnerV1) { a.rows = 6 },
		"negative fold":     func(a *learnerV1) { a.n = []int{6, -1} },
		"other moments":     func(a *learnerV1) { a.cc = matrix(1, 2, 1, 1) },
		"other means":       func(a *learnerV1) { a.meanC = []float64{1, 2} },
		"mean that is none": func(a *learnerV1) { a.meanC = []float64{math.NaN()} },
	} {
		t.Run(name, func(t *testing.T) {
			v := validLearner()
			change(&v)
			a.refused(t, v.file(t))
		})
	}
}
