package doublysgd

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// Classifier predicts labels: for one output the larger of two labels where f is
// positive, and the label of the largest output for more. It is immutable and
// safe for concurrent use.
type Classifier struct {
	model  *Model
	labels []int // ascending
	loss   loss.Loss
}

// FitClassifier learns from rows x (n×d) and their labels (n×1), any whole
// numbers. Beyond the errors of Fit, rkhs.ErrLabels reports a label that is not
// a whole number, or a single class.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	y, err := door.Rows("doublysgd", "labels", labels)
	if err != nil {
		return nil, err
	}
	classes, index, err := door.Labels("doublysgd", y)
	if err != nil {
		return nil, err
	}
	s, err := opts.settings(len(classes), false)
	if err != nil {
		return nil, err
	}
	m, err := s.fit(ctx, x, s.targets(index), index)
	return newClassifier(m, classes, s.Loss), err
}

func newClassifier(m *Model, labels []int, l loss.Loss) *Classifier {
	if m == nil {
		return nil
	}
	return &Classifier{model: m, labels: slices.Clone(labels), loss: l}
}

// Model returns the scores as a model.
func (c *Classifier) Model() *Model { return c.model }

// Report says how the classifier was found.
func (c *Classifier) Report() Report { return c.model.report }

// Seed returns the seed of the features.
func (c *Classifier) Seed() uint64 { return c.model.Seed() }

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.labels) }

// Loss returns the loss of the scores.
func (c *Classifier) Loss() loss.Loss { return c.loss }

// Scores returns f(x): n×1, positive for the larger label, for two classes under
// a loss of numbers or signs, and n×K, a column a label in ascending order,
// otherwise.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.model.Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := c.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	f, err := c.model.predict(x)
	if err != nil {
		return err
	}
	y := compute.NewMatrix(f.Rows, 1)
	for i := range y.Data {
		y.Data[i] = float64(c.labels[door.Class(row(f, i))])
	}
	return store(dst, y)
}

// Proba returns the probabilities of the labels, n×K, a column a label in
// ascending order. Only loss.Softmax, and loss.Logistic of two classes, define
// them; the error of others wraps rkhs.ErrOption.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	logistic, two := c.loss.(loss.Logistic)
	softmax, many := c.loss.(loss.Softmax)
	if !many && !(two && len(c.labels) == 2) {
		return nil, fmt.Errorf("doublysgd: Loss = %v of %d classes defines no probabilities: %w", c.loss, len(c.labels), rkhs.ErrOption)
	}
	f, err := c.model.predict(x)
	if err != nil {
		return nil, err
	}
	p := compute.NewMatrix(f.Rows, len(c.labels))
	for i := range p.Rows {
		if many {
			softmax.Probabilities(row(p, i), row(f, i))
			continue
		}
		row(p, i)[0], row(p, i)[1] = logistic.Probability(-f.Data[i]), logistic.Probability(f.Data[i])
	}
	return mat.NewDense(p.Rows, p.Cols, p.Data), nil
}

var classifierFormat = codec.Format[Classifier]{Kind: "doublysgd classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}}

// MarshalBinary returns the classifier as a file. It fails if the kernel or the
// loss cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.Marshal(c.encode) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps
// rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	return classifierFormat.Unmarshal(c, data)
}

// WriteTo writes the classifier to w.
func (c *Classifier) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, c) }

// ReadFrom replaces c by the classifier that r holds next, and reads no further.
// On an error c is left as it was.
func (c *Classifier) ReadFrom(r io.Reader) (int64, error) {
	return classifierFormat.Read(c, r)
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	if err := e.Nested(loss.Marshal(c.loss)); err != nil {
		return err
	}
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels, l := d.Labels(), codec.Nested(d, loss.Unmarshal)
	m := decodeModel(d)
	if d.Err() == nil && m.e.outputs != outputsFor(l, len(labels)) {
		d.Fail("%d labels for %d outputs", len(labels), m.e.outputs)
	}
	return Classifier{model: &m, labels: labels, loss: l}
}
