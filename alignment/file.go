package alignment

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
)

var (
	modelFormat      = codec.Register(codec.Format[Model]{Kind: "alignment model", Versions: []func(*codec.Decoder) Model{decodeModel}})
	classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "alignment classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}})
)

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written, and with an error that wraps rkhs.ErrUnfitted if there is no model.
func (m *Model) MarshalBinary() ([]byte, error) {
	if err := door.Fitted("alignment", "MarshalBinary", m.fitted()); err != nil {
		return nil, err
	}
	return modelFormat.Marshal(m.encode)
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

func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), report: decodeReport(d), learned: decodeResult(d), sum: model.DecodeSum(d)}
	if d.Err() == nil && len(m.sum.Terms) != 1 {
		d.Fail("%d terms", len(m.sum.Terms))
	}
	return m
}

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written, and with an error that wraps rkhs.ErrUnfitted if there is no
// classifier.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	if err := door.Fitted("alignment", "MarshalBinary", c.Model().fitted()); err != nil {
		return nil, err
	}
	return classifierFormat.Marshal(c.encode)
}

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := d.Labels()
	m := decodeModel(d)
	if k, q := len(labels), len(m.sum.Intercept); d.Err() == nil && q != k*(k-1)/2 {
		d.Fail("%d labels for %d outputs", k, q)
	}
	return Classifier{model: &m, labels: labels}
}
