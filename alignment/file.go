package alignment

import (
	"io"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var (
	modelFormat      = codec.Format[Model]{Kind: "alignment model", Versions: []func(*codec.Decoder) Model{decodeModel}}
	classifierFormat = codec.Format[Classifier]{Kind: "alignment classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}}
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
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.Marshal(c.encode) }

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
