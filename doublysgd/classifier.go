package doublysgd

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// Classifier predicts labels: for one output the larger of two labels where f is
// positive, and the label of the largest output for more. It is immutable and
// safe for concurrent use.
type Classifier struct {
	model  *Model
	labels []int // ascending
	loss   loss.Loss

	probabilities calibrate.Classes
}

// FitClassifier learns from rows x (n×d), with weights or without, and their labels (n×1), any whole
// numbers. Beyond the errors of Fit, rkhs.ErrLabels reports a label that is not
// a whole number, or a single class.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	w, classes, index, err := door.WeighedClasses(pkg, door.Points, x, labels)
	if err != nil {
		return nil, err
	}
	s, err := opts.settings(len(classes), false)
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w.Y = door.Targets(index, outputsFor(s.Loss, len(classes)))
	t, err := newTask(s, w, index)
	if err != nil {
		return nil, err
	}
	m, sample, err := t.fit(ctx)
	return newClassifier(m, classes, t.loss, sample), err
}

func newClassifier(m *Model, labels []int, l loss.Loss, s calibrate.Sample) *Classifier {
	if m == nil {
		return nil
	}
	own := model.Labels{Names: labels}.Of(l, s.Scores.Cols)
	return &Classifier{model: m, labels: slices.Clone(labels), loss: l, probabilities: calibrate.FitClasses(s, len(labels), calibrate.OfClasses, own)}
}

// Model returns the scores as a model.
func (c *Classifier) Model() *Model {
	if c == nil {
		return nil
	}
	return c.model
}

// Dims returns the number of inputs d and of scores q.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report says how the classifier was found.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int {
	if c == nil {
		return nil
	}
	return slices.Clone(c.labels)
}

// Formula writes the classifier out, without sharing memory.
func (c *Classifier) Formula() formula.Formula {
	return model.WithLoss(model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities), c.Loss())
}

// Loss returns the loss of the scores.
func (c *Classifier) Loss() loss.Loss {
	if c == nil {
		return nil
	}
	return c.loss
}

// Scores returns f(x): n×1, positive for the larger label, for two classes under
// a loss of numbers or signs, and n×K, a column a label in ascending order,
// otherwise.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. Errors are those of Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.Labels{Names: c.Labels()}.PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of one number, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, model.Labels{Names: model.OrZero(c).labels}, c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, a column a label in ascending order,
// as scores of rows that were not learned from tell (Report.Calibration). Where there are none
// of these they are those that a loss.MultiProbable, or a loss.Probable of two classes, gives to
// the scores; for others the error wraps rkhs.ErrUncalibrated.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Proba(pkg, &model.OrZero(c).probabilities, c.Loss(), c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "doublysgd classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary returns the classifier as a file. It fails if the kernel or the
// loss cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps
// rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	if err := e.Nested(loss.Marshal(c.loss)); err != nil {
		return err
	}
	if err := c.model.encodeScores(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels, l := d.Labels(), codec.Nested(d, loss.Unmarshal)
	m := decodeScores(d)
	c := Classifier{model: &m, labels: labels, loss: l, probabilities: calibrate.DecodeClasses(d)}
	if d.Err() != nil {
		return c
	}
	_, outputs := m.Dims()
	if outputs != outputsFor(l, len(labels)) {
		d.Fail("%d labels for %d outputs", len(labels), outputs)
	}
	c.probabilities.Check(d, len(labels), outputs)
	return c
}
