package slkl

import (
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

const (
	modelKind            = "slkl model"
	classifierKind       = "slkl classifier"
	accumulatorKind      = "slkl accumulator"
	classAccumulatorKind = "slkl class accumulator"
)

// The decoders of each kind of file, version 1 first; the last version is the
// one written.
var (
	modelVersions            = []func(*codec.Decoder) Model{decodeModel}
	classifierVersions       = []func(*codec.Decoder) Classifier{decodeClassifier}
	accumulatorVersions      = []func(*codec.Decoder) Accumulator{decodeAccumulatorV1, decodeAccumulator}
	classAccumulatorVersions = []func(*codec.Decoder) ClassAccumulator{decodeClassAccumulator}
)

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return pack(modelKind, len(modelVersions), m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, modelKind)
	return unpack(m, version, payload, err, modelVersions)
}

// WriteTo writes the model to w.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On
// an error m is left as it was.
func (m *Model) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, modelKind)
	return n, unpack(m, version, payload, err, modelVersions)
}

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	return pack(classifierKind, len(classifierVersions), c.encode)
}

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, classifierKind)
	return unpack(c, version, payload, err, classifierVersions)
}

// WriteTo writes the classifier to w.
func (c *Classifier) WriteTo(w io.Writer) (int64, error) { return write(w, c) }

// ReadFrom replaces c by the classifier that r holds next, and reads no
// further. On an error c is left as it was.
func (c *Classifier) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, classifierKind)
	return n, unpack(c, version, payload, err, classifierVersions)
}

// MarshalBinary returns the accumulator as a file, with the options that shape
// its solution but without Recorder, so that it can go on elsewhere. It fails if
// a kernel cannot be written.
func (a *Accumulator) MarshalBinary() ([]byte, error) {
	return pack(accumulatorKind, len(accumulatorVersions), a.encode)
}

// UnmarshalBinary replaces a by the accumulator in data, which goes on from
// there bit for bit. On an error, which wraps rkhs.ErrFormat, a is left as it
// was.
func (a *Accumulator) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, accumulatorKind)
	return unpack(a, version, payload, err, accumulatorVersions)
}

// WriteTo writes the accumulator to w.
func (a *Accumulator) WriteTo(w io.Writer) (int64, error) { return write(w, a) }

// ReadFrom replaces a by the accumulator that r holds next, and reads no
// further. On an error a is left as it was.
func (a *Accumulator) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, accumulatorKind)
	return n, unpack(a, version, payload, err, accumulatorVersions)
}

// MarshalBinary returns the accumulator as a file, as Accumulator's does.
func (a *ClassAccumulator) MarshalBinary() ([]byte, error) {
	return pack(classAccumulatorKind, len(classAccumulatorVersions), a.encode)
}

// UnmarshalBinary replaces a by the accumulator in data, which goes on from
// there bit for bit. On an error, which wraps rkhs.ErrFormat, a is left as it
// was.
func (a *ClassAccumulator) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, classAccumulatorKind)
	return unpack(a, version, payload, err, classAccumulatorVersions)
}

// WriteTo writes the accumulator to w.
func (a *ClassAccumulator) WriteTo(w io.Writer) (int64, error) { return write(w, a) }

// ReadFrom replaces a by the accumulator that r holds next, and reads no
// further. On an error a is left as it was.
func (a *ClassAccumulator) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, classAccumulatorKind)
	return n, unpack(a, version, payload, err, classAccumulatorVersions)
}

// pack frames what encode writes.
func pack(kind string, version int, encode func(*codec.Encoder) error) ([]byte, error) {
	var e codec.Encoder
	if err := encode(&e); err != nil {
		return nil, fmt.Errorf("slkl: %w", err)
	}
	return codec.Marshal(kind, uint16(version), e.Payload()), nil
}

// unpack stores in dst what decode reads, unless there is anything wrong.
func unpack[T any](dst *T, version uint16, payload []byte, err error, decoders []func(*codec.Decoder) T) error {
	if err == nil && (version < 1 || int(version) > len(decoders)) {
		err = fmt.Errorf("%w: version %d is unknown, this library reads 1 to %d", rkhs.ErrFormat, version, len(decoders))
	}
	if err != nil {
		return fmt.Errorf("slkl: %w", err)
	}
	d := codec.NewDecoder(payload)
	v := decoders[version-1](d)
	if err := d.Close(); err != nil {
		return fmt.Errorf("slkl: %w", err)
	}
	*dst = v
	return nil
}

func write(w io.Writer, v interface{ MarshalBinary() ([]byte, error) }) (int64, error) {
	data, err := v.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}
