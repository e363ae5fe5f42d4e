package alignment

import (
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

const (
	modelKind      = "alignment model"
	classifierKind = "alignment classifier"
	fileVersion    = 1
)

// MarshalBinary returns the model as a file. It fails if a kernel cannot be
// written.
func (m *Model) MarshalBinary() ([]byte, error) { return pack(modelKind, m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, modelKind)
	return unpack(m, version, payload, err, decodeModel)
}

// WriteTo writes the model to w.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On
// an error m is left as it was.
func (m *Model) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, modelKind)
	return n, unpack(m, version, payload, err, decodeModel)
}

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return pack(classifierKind, c.encode) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	version, payload, err := codec.Unmarshal(data, classifierKind)
	return unpack(c, version, payload, err, decodeClassifier)
}

// WriteTo writes the classifier to w.
func (c *Classifier) WriteTo(w io.Writer) (int64, error) { return write(w, c) }

// ReadFrom replaces c by the classifier that r holds next, and reads no
// further. On an error c is left as it was.
func (c *Classifier) ReadFrom(r io.Reader) (int64, error) {
	version, payload, n, err := codec.Read(r, classifierKind)
	return n, unpack(c, version, payload, err, decodeClassifier)
}

// pack frames what encode writes.
func pack(kind string, encode func(*codec.Encoder) error) ([]byte, error) {
	var e codec.Encoder
	if err := encode(&e); err != nil {
		return nil, fmt.Errorf("alignment: %w", err)
	}
	return codec.Marshal(kind, fileVersion, e.Payload()), nil
}

// unpack stores in dst what decode reads, unless there is anything wrong.
func unpack[T any](dst *T, version uint16, payload []byte, err error, decode func(*codec.Decoder) T) error {
	if err == nil && version != fileVersion {
		err = fmt.Errorf("%w: version %d is unknown, this library reads %d", rkhs.ErrFormat, version, fileVersion)
	}
	if err != nil {
		return fmt.Errorf("alignment: %w", err)
	}
	d := codec.NewDecoder(payload)
	v := decode(d)
	if err := d.Close(); err != nil {
		return fmt.Errorf("alignment: %w", err)
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
