package polk

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "polk model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It fails if kernel or loss cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// fitted reports whether m is neither nil nor zero.
func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	if err := m.encodeUncalibrated(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeModel(d *codec.Decoder) Model {
	m := decodeUncalibrated(d)
	m.intervals = calibrate.DecodeIntervals(d)
	inputs, _ := m.Dims()
	m.intervals.Check(d, inputs, len(m.f.Intercept))
	return m
}

// encodeUncalibrated writes m but for its intervals, which the model of a classifier has none of.
func (m *Model) encodeUncalibrated(e *codec.Encoder) error {
	if err := m.f.Encode(e); err != nil {
		return err
	}
	e.Uint64(m.seed)
	if err := e.Nested(loss.Marshal(m.report.Loss)); err != nil {
		return err
	}
	e.Float64(m.report.Ridge)
	e.Float64(m.report.Rate)
	e.Int(int(m.report.Status))
	m.report.Totals.encode(e)
	return choose.EncodeChoice(e, m.report.Choice)
}

func decodeUncalibrated(d *codec.Decoder) Model {
	m := Model{f: model.DecodeSum(d), seed: d.Uint64()}
	if d.Err() == nil && len(m.f.Terms) != 1 {
		d.Fail("%d terms", len(m.f.Terms))
	}
	m.report = Report{Kernel: m.f.Term().Kernel, Loss: codec.Nested(d, loss.Unmarshal), Ridge: d.Finite(), Rate: d.Finite()}
	m.report.Status, m.report.Totals = codec.Enum(d, rkhs.Stalled), decodeTotals(d)
	m.report.Choice = choose.DecodeChoice(d)
	return m
}
