package polk

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// withChoice is the first version that tells how the kernel was found.
const withChoice = 2

// calibrated is the first version with intervals, or probabilities.
const calibrated = 3

var modelFormat = codec.Register(codec.Format[Model]{Kind: "polk model", Versions: []func(*codec.Decoder) Model{
	func(d *codec.Decoder) Model { return decodeModel(d, 1) },
	func(d *codec.Decoder) Model { return decodeModel(d, withChoice) },
	decodeCalibratedModel,
},
	Encode: (*Model).encodeCalibrated, Fitted: (*Model).fitted})

// MarshalBinary returns the model as a file. It fails if kernel or loss cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// fitted reports whether m is neither nil nor zero.
func (m *Model) fitted() bool { return len(m.function().Intercept) > 0 }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encodeCalibrated(e *codec.Encoder) error {
	if err := m.encode(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeCalibratedModel(d *codec.Decoder) Model {
	m := decodeModel(d, withChoice)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, len(m.f.Intercept))
	return m
}

func (m *Model) encode(e *codec.Encoder) error {
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

func decodeModel(d *codec.Decoder, version int) Model {
	m := Model{f: model.DecodeSum(d), seed: d.Uint64()}
	if d.Err() == nil && len(m.f.Terms) != 1 {
		d.Fail("%d terms", len(m.f.Terms))
	}
	m.report = Report{Kernel: m.f.Term().Kernel, Loss: codec.Nested(d, loss.Unmarshal), Ridge: d.Finite(), Rate: d.Finite()}
	m.report.Status, m.report.Totals = codec.Enum(d, rkhs.Stalled), decodeTotals(d)
	if version >= withChoice {
		m.report.Choice = choose.DecodeChoice(d)
	}
	return m
}
