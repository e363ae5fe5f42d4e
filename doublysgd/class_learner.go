package doublysgd

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
)

// ClassLearner is a Learner for labels.
type ClassLearner struct {
	learner Learner
	labels  []int // ascending
}

// NewClassLearner returns a learner for the given labels, at least two and all different; otherwise
// the error wraps rkhs.ErrLabels. Other errors are as for NewLearner.
func NewClassLearner(labels []int, opts *Options) (*ClassLearner, error) {
	sorted, err := input.Announced(pkg, labels)
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

// made reports whether c is the result of a constructor or a file.
func (c *ClassLearner) made() bool { return c != nil && c.learner.made() }

// Rows returns the number of rows so far.
func (c *ClassLearner) Rows() int {
	if c == nil {
		return 0
	}
	return c.learner.Rows()
}

// Update trains on rows x (n×d) with labels (n×1). A label unknown to NewClassLearner is
// rkhs.ErrLabels. On an error the learner is unchanged.
func (c *ClassLearner) Update(x, labels mat.Matrix) error {
	if err := input.Fitted(pkg, "Update", c.made()); err != nil {
		return err
	}
	w, err := input.WeighedLabels(pkg, input.Points, x, labels)
	if err != nil {
		return err
	}
	class, err := input.Known(pkg, w.Y, c.labels)
	if err != nil {
		return err
	}
	w.Y = input.Targets(class, c.learner.stream.Outputs)
	return c.learner.update(w, class)
}

// Model returns the current classifier, as Learner.Model does.
func (c *ClassLearner) Model(ctx context.Context) (*Classifier, error) {
	if err := input.Fitted(pkg, "Model", c.made()); err != nil {
		return nil, err
	}
	m, sample, err := c.learner.model(ctx)
	return newClassifier(m, c.labels, c.learner.options.Loss, sample), err
}

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "doublysgd class learner", Decode: decodeClassLearner,
	Encode: (*ClassLearner).encode, Fitted: (*ClassLearner).made})

// MarshalBinary encodes the learner as Learner.MarshalBinary does.
func (c *ClassLearner) MarshalBinary() ([]byte, error) { return classLearnerFormat.File(c) }

// UnmarshalBinary replaces c by the learner in data, which resumes bit for bit. On an error, which
// wraps rkhs.ErrFormat, c is unchanged.
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
