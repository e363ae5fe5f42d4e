package doublysgd

import (
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
)

// ClassLearner is a Learner of labels.
type ClassLearner struct {
	l      *Learner
	labels []int // ascending
}

// NewClassLearner returns a learner of the given labels, two or more and all
// different, else the error wraps rkhs.ErrLabels. Other errors are those of NewLearner.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	sorted, err := door.Announced("doublysgd", labels)
	if err != nil {
		return nil, err
	}
	s, err := opts.settings(len(sorted), true)
	if err != nil {
		return nil, err
	}
	l, err := newLearner(s, outputsFor(s.Loss, len(sorted)))
	if err != nil {
		return nil, err
	}
	return &ClassLearner{l, sorted}, nil
}

// Rows returns the number of rows taken in.
func (c *ClassLearner) Rows() int { return c.l.rows }

// Update takes in rows x (n×d) with their labels (n×1). A label that was not
// announced is rkhs.ErrLabels. On an error the learner is left as it was.
func (c *ClassLearner) Update(x, labels mat.Matrix) error {
	y, err := door.View("doublysgd", "labels", labels)
	if err != nil {
		return err
	}
	class, err := door.Known("doublysgd", y, c.labels)
	if err != nil {
		return err
	}
	return c.l.update(x, c.l.s.targets(class), class)
}

// Model returns the classifier learned so far, as Learner.Model does.
func (c *ClassLearner) Model() (*Classifier, error) {
	m, err := c.l.Model()
	return newClassifier(m, c.labels, c.l.s.Loss), err
}

var classLearnerFormat = codec.Format[ClassLearner]{Kind: "doublysgd class learner", Versions: []func(*codec.Decoder) ClassLearner{decodeClassLearner}}

// MarshalBinary returns the learner as a file, with the options that shape what
// it learns but without Workers and Recorder, so that it can go on elsewhere. It
// fails if the kernel or the loss cannot be written.
func (c *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.Marshal(c.encode) }

// UnmarshalBinary replaces c by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, c is left as it was.
func (c *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(c, data)
}

// WriteTo writes the learner to w.
func (c *ClassLearner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, c) }

// ReadFrom replaces c by the learner that r holds next, and reads no further. On
// an error c is left as it was.
func (c *ClassLearner) ReadFrom(r io.Reader) (int64, error) {
	return classLearnerFormat.Read(c, r)
}

func (c *ClassLearner) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.l.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	labels := d.Labels()
	return ClassLearner{l: decodeLearnerOf(d, len(labels)), labels: labels}
}
