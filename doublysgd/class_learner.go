package doublysgd

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
)

// ClassLearner is a Learner of labels.
type ClassLearner struct {
	learner Learner
	labels  []int // ascending
}

// NewClassLearner returns a learner of the given labels, two or more and all
// different, else the error wraps rkhs.ErrLabels. Other errors are those of NewLearner.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	sorted, err := door.Announced(pkg, labels)
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
	return &ClassLearner{*l, sorted}, nil
}

// made reports whether c is of a constructor or a file.
func (c *ClassLearner) made() bool { return c != nil && c.learner.made() }

// Rows returns the number of rows taken in.
func (c *ClassLearner) Rows() int {
	if c == nil {
		return 0
	}
	return c.learner.Rows()
}

// Update takes in rows x (n×d) with their labels (n×1). A label that was not
// announced is rkhs.ErrLabels. On an error the learner is left as it was.
func (c *ClassLearner) Update(x, labels mat.Matrix) error {
	if err := door.Fitted(pkg, "Update", c.made()); err != nil {
		return err
	}
	w, err := door.WeighedLabels(pkg, door.Points, x, labels)
	if err != nil {
		return err
	}
	class, err := door.Known(pkg, w.Y, c.labels)
	if err != nil {
		return err
	}
	w.Y = door.Targets(class, c.learner.stream.Outputs)
	return c.learner.update(w, class)
}

// Model returns the classifier learned so far, as Learner.Model does.
func (c *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	if err := door.Fitted(pkg, "Model", c.made()); err != nil {
		return nil, err
	}
	m, sample, err := c.learner.model(ctx)
	return newClassifier(m, c.labels, c.learner.options.Loss, sample), err
}

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "doublysgd class learner", Decode: decodeClassLearner,
	Encode: (*ClassLearner).encode, Fitted: (*ClassLearner).made})

// MarshalBinary returns the learner as a file, as Learner.MarshalBinary does.
func (c *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(c) }

// UnmarshalBinary replaces c by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, c is left as it was.
func (c *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(c, data)
}

func (c *ClassLearner) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.learner.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	labels := d.Labels()
	return ClassLearner{learner: decodeLearner(d, len(labels)), labels: labels}
}
