package polk

import (
	"io"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var (
	modelFormat        = codec.Format[Model]{Kind: "polk model", Versions: []func(*codec.Decoder) Model{decodeModel}}
	classifierFormat   = codec.Format[Classifier]{Kind: "polk classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}}
	learnerFormat      = codec.Format[Learner]{Kind: "polk learner", Versions: []func(*codec.Decoder) Learner{decodeLearner}}
	classLearnerFormat = codec.Format[ClassLearner]{Kind: "polk class learner", Versions: []func(*codec.Decoder) ClassLearner{decodeClassLearner}}
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

// MarshalBinary returns the learner as a file, with its options but for Workers
// and Recorder, so that it can go on elsewhere. It fails if the kernel or the loss
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.Marshal(l.encode) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error {
	return learnerFormat.Unmarshal(l, data)
}

// WriteTo writes the learner to w.
func (l *Learner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, l) }

// ReadFrom replaces l by the learner that r holds next, and reads no further. On
// an error l is left as it was.
func (l *Learner) ReadFrom(r io.Reader) (int64, error) {
	return learnerFormat.Read(l, r)
}

// MarshalBinary returns the learner as a file, as Learner.MarshalBinary does.
func (l *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.Marshal(l.encode) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

// WriteTo writes the learner to w.
func (l *ClassLearner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, l) }

// ReadFrom replaces l by the learner that r holds next, and reads no further. On
// an error l is left as it was.
func (l *ClassLearner) ReadFrom(r io.Reader) (int64, error) {
	return classLearnerFormat.Read(l, r)
}
