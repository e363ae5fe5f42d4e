package slkl

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "slkl model", Versions: []func(*codec.Decoder) Model{decodeModel1, decodeModel, decodeCalibratedModel, decodeModelOfRows},
	Encode: (*Model).encodeOfRows, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.sum.Encode(e); err != nil {
		return err
	}
	for _, mu := range m.mu {
		e.Matrix(mu)
	}
	e.Bool(m.shared)
	e.Uint64(m.seed)
	e.Float64(m.ridge)
	for i := range m.outputs {
		m.outputs[i].encode(e)
		e.Bool(m.outputs[i].AtEdge)
	}
	e.Float64(m.noise)
	return choose.EncodeChoice(e, m.choice)
}

func (m *Model) encodeCalibrated(e *codec.Encoder) error {
	if err := m.encode(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func (m *Model) encodeOfRows(e *codec.Encoder) error {
	if err := m.encodeCalibrated(e); err != nil {
		return err
	}
	e.Ints(m.rows)
	return nil
}

func decodeModelOfRows(d *codec.Decoder) Model {
	m := decodeCalibratedModel(d)
	m.rows = decodePointRows(d)
	return m
}

// decodePointRows reads what rows are landmarks.
func decodePointRows(d *codec.Decoder) []int {
	rows := d.Ints()
	for _, i := range rows {
		if i < 0 {
			d.Fail("a landmark is row %d", i)
		}
	}
	return rows
}

// decodeCalibratedModel reads version 3, which does not say what rows are landmarks.
func decodeCalibratedModel(d *codec.Decoder) Model {
	m := decodeModel(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, len(m.sum.Intercept))
	return m
}

// decodeModel reads version 2, which has no intervals.
func decodeModel(d *codec.Decoder) Model {
	m := decodeWeights(d, true)
	m.noise, m.choice = d.Finite(), choose.DecodeChoice(d)
	return m
}

// decodeModel1 reads what v0.1.0 wrote, which had no noise, no choice and no edge.
func decodeModel1(d *codec.Decoder) Model { return decodeWeights(d, false) }

func decodeWeights(d *codec.Decoder, edges bool) Model {
	m := Model{sum: model.DecodeSum(d)}
	if d.Err() == nil && len(m.sum.Terms) == 0 {
		d.Fail("no kernels")
	}
	for range m.sum.Terms {
		m.mu = append(m.mu, d.Matrix())
	}
	m.shared, m.seed, m.ridge = d.Bool(), d.Uint64(), d.Finite()
	m.outputs = make([]OutputReport, len(m.sum.Intercept))
	if m.shared && len(m.outputs) > 0 {
		m.outputs = m.outputs[:1]
	}
	for i := range m.outputs {
		m.outputs[i].decode(d)
		m.outputs[i].AtEdge = edges && d.Bool()
	}
	m.checkMu(d)
	return m
}

// checkMu fails unless there is a mu ≥ 0 for each point and each report.
func (m *Model) checkMu(d *codec.Decoder) {
	for k, mu := range m.mu {
		if order := m.sum.Terms[k].ModelOrder(); d.Err() == nil && (mu.Rows != order || mu.Cols != len(m.outputs)) {
			d.Fail("mu is %d×%d for %d points and %d reports", mu.Rows, mu.Cols, order, len(m.outputs))
		}
		for _, v := range mu.Data {
			if v < 0 {
				d.Fail("mu = %v is negative", v)
			}
		}
	}
}

func (r *OutputReport) encode(e *codec.Encoder) {
	for _, v := range r.numbers() {
		e.Float64(*v)
	}
	for _, v := range r.counts() {
		e.Int(*v)
	}
	e.Int(int(r.Status))
}

func (r *OutputReport) decode(d *codec.Decoder) {
	for _, v := range r.numbers() {
		*v = d.Finite()
	}
	for _, v := range r.counts() {
		*v = d.Int()
	}
	r.Status = codec.Enum(d, rkhs.Stalled)
}

func (r *OutputReport) numbers() []*float64 {
	return []*float64{&r.Penalty, &r.PenaltyMax, &r.Objective, &r.Gap, &r.KKT}
}

func (r *OutputReport) counts() []*int {
	return []*int{&r.ModelOrder, &r.Steps, &r.Solves, &r.Refactorisations}
}
