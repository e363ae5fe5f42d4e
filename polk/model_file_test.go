package polk

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// handwritten is a model in version 1 of its payload, which every later version
// of this package must read: f(x) = 3·k(x, 0) − k(x, 1) + 10 with σ = 1.
type handwritten struct {
	loss            loss.Loss
	status          int
	rows            int
	intercept       []float64
	points, weights compute.Matrix
}

func validModel() handwritten {
	return handwritten{loss: loss.Huber{Delta: 2}, status: 2, rows: 50, intercept: []float64{10},
		points:  compute.Matrix{Rows: 2, Cols: 1, Stride: 1, Data: []float64{0, 1}},
		weights: compute.Matrix{Rows: 2, Cols: 1, Stride: 1, Data: []float64{3, -1}}}
}

func (h handwritten) payload(t *testing.T) []byte {
	t.Helper()
	var e codec.Encoder
	k, err := kernel.Marshal(kernel.Gaussian{Sigma: 1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := loss.Marshal(h.loss)
	if err != nil {
		t.Fatal(err)
	}
	e.Int(1)
	e.Float64s(h.intercept)
	e.Int(1)
	e.Bytes(k)
	e.Matrix(h.points)
	e.Matrix(h.weights)
	e.Uint64(77)
	e.Bytes(l)
	e.Float64(1e-6)
	e.Float64(0.5)
	e.Int(h.status)
	for _, v := range []int{7, h.rows, 0, 50, 40, 10, 38, 0, 1} {
		e.Int(v)
	}
	for _, v := range []float64{0.25, 9, 3, 1, 2} {
		e.Float64(v)
	}
	return e.Payload()
}

func TestVersion1(t *testing.T) {
	var m Model
	if err := m.UnmarshalBinary(codec.Marshal("polk model", 1, validModel().payload(t))); err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(mat.NewDense(1, 1, []float64{0.5}))
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*math.Exp(-0.125) + 10; math.Abs(p.At(0, 0)-want) > 1e-14 {
		t.Errorf("f(0.5) = %v, want %v", p.At(0, 0), want)
	}
	want := Report{Kernel: kernel.Gaussian{Sigma: 1}, Loss: loss.Huber{Delta: 2}, Ridge: 1e-6, Rate: 0.5, Status: rkhs.IterationLimit,
		Totals: Totals{Steps: 7, Rows: 50, Active: 50, Added: 40, Folded: 10, Pruned: 38, Stalled: 1, Loss: 0.25, Norm: 9, Error: 3, IdleLoss: 1, ZeroLoss: 2}}
	if got := m.Report(); !reflect.DeepEqual(got, want) || m.Seed() != 77 {
		t.Errorf("seed %d, report %+v, want %+v", m.Seed(), got, want)
	}
}

func TestVersion1Refuses(t *testing.T) {
	for name, spoil := range map[string]func(*handwritten){
		"status":              func(h *handwritten) { h.status = 6 },
		"negative status":     func(h *handwritten) { h.status = -1 },
		"negative rows":       func(h *handwritten) { h.rows = -1 },
		"no intercept":        func(h *handwritten) { h.intercept = nil },
		"two intercepts":      func(h *handwritten) { h.intercept = []float64{1, 2} },
		"infinite intercept":  func(h *handwritten) { h.intercept[0] = math.Inf(1) },
		"a weight too few":    func(h *handwritten) { h.weights = compute.NewMatrix(1, 1) },
		"no outputs":          func(h *handwritten) { h.weights, h.intercept = compute.Matrix{Rows: 2}, nil },
		"points of no column": func(h *handwritten) { h.points = compute.Matrix{Rows: 2} },
		"NaN in points":       func(h *handwritten) { h.points.Data[1] = math.NaN() },
	} {
		h := validModel()
		spoil(&h)
		var m Model
		if err := m.UnmarshalBinary(codec.Marshal("polk model", 1, h.payload(t))); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
