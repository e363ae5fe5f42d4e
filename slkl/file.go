package slkl

import (
	"io"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var (
	modelFormat            = codec.Format[Model]{Kind: "slkl model", Versions: []func(*codec.Decoder) Model{decodeModel}}
	classifierFormat       = codec.Format[Classifier]{Kind: "slkl classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}}
	accumulatorFormat      = codec.Format[Accumulator]{Kind: "slkl accumulator", Versions: []func(*codec.Decoder) Accumulator{decodeAccumulatorV1, decodeAccumulator}}
	classAccumulatorFormat = codec.Format[ClassAccumulator]{Kind: "slkl class accumulator", Versions: []func(*codec.Decoder) ClassAccumulator{decodeClassAccumulator}}
)

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.Marshal(m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	return modelFormat.Unmarshal(m, data)
}

// WriteTo writes the model to w.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On
// an error m is left as it was.
func (m *Model) ReadFrom(r io.Reader) (int64, error) {
	return modelFormat.Read(m, r)
}

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	return classifierFormat.Marshal(c.encode)
}

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	return classifierFormat.Unmarshal(c, data)
}

// WriteTo writes the classifier to w.
func (c *Classifier) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, c) }

// ReadFrom replaces c by the classifier that r holds next, and reads no
// further. On an error c is left as it was.
func (c *Classifier) ReadFrom(r io.Reader) (int64, error) {
	return classifierFormat.Read(c, r)
}

// MarshalBinary returns the accumulator as a file, with the options that shape
// its solution but without Recorder, so that it can go on elsewhere. It fails if
// a kernel cannot be written.
func (a *Accumulator) MarshalBinary() ([]byte, error) {
	return accumulatorFormat.Marshal(a.encode)
}

// UnmarshalBinary replaces a by the accumulator in data, which goes on from
// there bit for bit. On an error, which wraps rkhs.ErrFormat, a is left as it
// was.
func (a *Accumulator) UnmarshalBinary(data []byte) error {
	return accumulatorFormat.Unmarshal(a, data)
}

// WriteTo writes the accumulator to w.
func (a *Accumulator) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, a) }

// ReadFrom replaces a by the accumulator that r holds next, and reads no
// further. On an error a is left as it was.
func (a *Accumulator) ReadFrom(r io.Reader) (int64, error) {
	return accumulatorFormat.Read(a, r)
}

// MarshalBinary returns the accumulator as a file, as Accumulator's does.
func (a *ClassAccumulator) MarshalBinary() ([]byte, error) {
	return classAccumulatorFormat.Marshal(a.encode)
}

// UnmarshalBinary replaces a by the accumulator in data, which goes on from
// there bit for bit. On an error, which wraps rkhs.ErrFormat, a is left as it
// was.
func (a *ClassAccumulator) UnmarshalBinary(data []byte) error {
	return classAccumulatorFormat.Unmarshal(a, data)
}

// WriteTo writes the accumulator to w.
func (a *ClassAccumulator) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, a) }

// ReadFrom replaces a by the accumulator that r holds next, and reads no
// further. On an error a is left as it was.
func (a *ClassAccumulator) ReadFrom(r io.Reader) (int64, error) {
	return classAccumulatorFormat.Read(a, r)
}
