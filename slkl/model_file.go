package slkl

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/model"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "slkl model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It returns an error if a kernel cannot be written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps rkhs.ErrFormat, m is
// unchanged.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeUncalibrated(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

// encodeUncalibrated writes m without its intervals, which the model of a classifier does not have.
func (m *Model) encodeUncalibrated(e *codec.Encoder) error {
	if err := m.sum.Encode(e); err != nil {
		return err
	}
	for _, mu := range m.mu {
		e.Matrix(mu)
	}
	e.Fields(&m.shared, &m.seed, &m.ridge)
	for i := range m.outputs {
		e.Fields(m.outputs[i].fields()...)
	}
	e.Fields(&m.noise, &m.rows)
	return choose.EncodeChoice(e, m.choice)
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
	d.Fields(&m.shared, &m.seed, &m.ridge)
	m.outputs = make([]OutputReport, len(m.sum.Intercept))
	if m.shared && len(m.outputs) > 0 {
		m.outputs = m.outputs[:1]
	}
	numbers := []float64{m.ridge}
	for i := range m.outputs {
		r := &m.outputs[i]
		d.Fields(r.fields()...)
		numbers = append(numbers, r.Penalty, r.PenaltyMax, r.Objective, r.Gap, r.KKT)
	}
	m.checkMu(d)
	d.Fields(&m.noise, &m.rows)
	if numbers = append(numbers, m.noise); d.Err() == nil && !compute.AllFinite(compute.ColumnOf(numbers)) {
		d.Fail("a number of the report is not finite")
	}
	for _, i := range m.rows {
		if i < 0 {
			d.Fail("a landmark is row %d", i)
		}
	}
	m.choice = choose.DecodeChoice(d)
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

// fields lists the fields of a file.
func (r *OutputReport) fields() []any {
	return []any{&r.Penalty, &r.PenaltyMax, &r.Objective, &r.Gap, &r.KKT, &r.ModelOrder, &r.Steps, &r.Solves,
		&r.Refactorisations, codec.OneOf(&r.Status, rkhs.Stalled), &r.AtEdge}
}
