package alignment

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "alignment model", Versions: []func(*codec.Decoder) Model{decodeFirstModel, decodeModel, decodeCalibratedModel}})

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written, and with an error that wraps rkhs.ErrUnfitted if there is no model.
func (m *Model) MarshalBinary() ([]byte, error) {
	if err := model.Fitted(pkg, "MarshalBinary", m.function()); err != nil {
		return nil, err
	}
	return modelFormat.Marshal(m.encodeCalibrated)
}

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	m.report.encode(e)
	if err := m.learned.encode(e); err != nil {
		return err
	}
	return m.sum.Encode(e)
}

// decodeFirstModel reads version 1, which has no choice.
func decodeFirstModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), report: decodeReport(d), learned: decodeResult(d)}
	m.decodeSum(d)
	return m
}

func (m *Model) encodeCalibrated(e *codec.Encoder) error {
	if err := m.encode(e); err != nil {
		return err
	}
	m.intervals.Encode(e)
	return nil
}

func decodeCalibratedModel(d *codec.Decoder) Model {
	m := decodeModel(d)
	m.intervals = calibrate.DecodeIntervals(d)
	m.intervals.Check(d, len(m.sum.Intercept))
	return m
}

// decodeModel reads version 2, which has no intervals.
func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), report: decodeReport(d), learned: decodeResult(d)}
	m.learned.Choice = choose.DecodeChoice(d)
	m.decodeSum(d)
	return m
}

func (m *Model) decodeSum(d *codec.Decoder) {
	m.sum = model.DecodeSum(d)
	if d.Err() == nil && len(m.sum.Terms) != 1 {
		d.Fail("%d terms", len(m.sum.Terms))
	}
}
