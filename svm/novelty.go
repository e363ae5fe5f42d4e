package svm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Novelty finds rows that differ from the training rows. It is immutable and safe for concurrent
// use. Methods of an unfitted Novelty return zero values, or an error that wraps rkhs.ErrUnfitted.
type Novelty struct {
	model *Model  // f − r
	nu    float64 // nu, or 0 if unknown
}

// Model returns the function f(x) − r with its kernel, support vectors and certificate.
func (m *Novelty) Model() *Model { return model.OrZero(m).model }

// Formula returns the model as a formula. It shares no memory. The labels are −1 and 1.
func (m *Novelty) Formula() formula.Formula {
	return model.DecidingBy(m.Model().Formula(), []int{-1, 1}, formula.NotNegative)
}

// Dims returns the number of inputs and of outputs, 1.
func (m *Novelty) Dims() (inputs, outputs int) { return m.Model().Dims() }

// Report describes the fit.
func (m *Novelty) Report() Report { return m.Model().Report() }

// Scores returns f(x) − r, n×1. It is negative for novel rows. Errors are as in Model.Predict.
func (m *Novelty) Scores(x mat.Matrix) (*mat.Dense, error) { return m.Model().Predict(x) }

// signs are the labels of novel rows and of other rows.
var signs = model.Labels{Names: []int{-1, 1}, Decide: func(scores []float64) int {
	if scores[0] < 0 {
		return 0
	}
	return 1
}}

// Predict returns labels, n×1: −1 for novel rows, 1 for other rows. Errors are as in Model.Predict.
func (m *Novelty) Predict(x mat.Matrix) (*mat.Dense, error) {
	return signs.Predict(pkg, m.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Errors are as in Predict.
func (m *Novelty) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return signs.PredictTo(pkg, m.Model().function(), dst, x)
}

// PredictRow sets dst, of length 1, to the label of a single row x, as Model.PredictRow does.
func (m *Novelty) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, signs, m.Model().function(), dst, x)
}

// inside lowers the offset r so that rows at the margin are inside despite the rounding of f.
func inside(r float64) float64 { return r - 1e-6*math.Abs(r) }

var noveltyFormat = codec.Register(codec.Format[Novelty]{Kind: "svm novelty", Decode: decodeNovelty,
	Encode: (*Novelty).encode, Fitted: func(m *Novelty) bool { return m.Model() != nil }})

// MarshalBinary returns the model as a file. It fails if the kernel cannot be written.
func (m *Novelty) MarshalBinary() ([]byte, error) { return noveltyFormat.File(m) }

// UnmarshalBinary replaces m by the model in data, unless it returns rkhs.ErrFormat.
func (m *Novelty) UnmarshalBinary(data []byte) error { return noveltyFormat.Unmarshal(m, data) }

func (m *Novelty) encode(e *codec.Encoder) error {
	e.Float64(m.nu)
	return m.model.encode(e)
}

func decodeNovelty(d *codec.Decoder) Novelty {
	n := Novelty{nu: d.Float64()}
	m := decodeModel(d)
	if _, q := m.Dims(); d.Err() == nil && (q != 1 || !(n.nu >= 0 && n.nu < 1)) {
		d.Fail("%d outputs, Nu = %v", q, n.nu)
	}
	n.model = &m
	return n
}
