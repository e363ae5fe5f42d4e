package slkl

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "slkl model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

// encodeUncalibrated writes m but for its intervals, which the model of a classifier has none of.
func (m *Model) encodeUncalibrated(e *codec.Encoder) error {
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
	e.Ints(m.rows)
	return choose.EncodeChoice(e, m.choice)
}

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeUncalibrated(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
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

func decodeModel(d *codec.Decoder) Model {
	m := decodeUncalibrated(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, m.sum.Inputs, len(m.sum.Intercept))
	return m
}

func decodeUncalibrated(d *codec.Decoder) Model {
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
		m.outputs[i].AtEdge = d.Bool()
	}
	m.checkMu(d)
	m.noise, m.rows, m.choice = d.Finite(), decodePointRows(d), choose.DecodeChoice(d)
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
