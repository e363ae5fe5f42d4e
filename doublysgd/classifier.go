package doublysgd

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// Classifier predicts labels. With one output it predicts the larger label where f is positive,
// otherwise the label of the largest output. It is immutable and safe for concurrent use.
type Classifier struct {
	model  *Model
	labels []int // ascending
	loss   loss.Loss

	probabilities calibrate.Classes
}

// FitClassifier fits rows x (n×d) and integer labels (n×1). Errors are as for Fit, and
// rkhs.ErrLabels for a label that is not an integer or for a single class.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	w, classes, index, err := input.WeighedClasses(pkg, input.Points, x, labels)
	if err != nil {
		return nil, err
	}
	s, err := opts.settings(len(classes), false)
	if err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w.Y = input.Targets(index, outputsFor(s.Loss, len(classes)))
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

// Model returns the model of the scores.
func (c *Classifier) Model() *Model {
	if c == nil {
		return nil
	}
	return c.model
}

// Dims returns the number of inputs d and of scores q.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report returns the report of the fit.
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

// Formula returns the classifier as a formula that shares no memory with c.
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

// Scores returns f(x): n×1 for two classes unless the loss is multiclass, otherwise n×K with labels
// in ascending order.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. It returns the errors of Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.Labels{Names: c.Labels()}.PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of length 1, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, model.Labels{Names: model.OrZero(c).labels}, c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, in ascending order of labels. They are
// calibrated on unseen rows (Report.Calibration), or else given by a loss.MultiProbable or, for two
// classes, a loss.Probable. For other losses the error wraps rkhs.ErrNoCalibration.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Proba(pkg, &model.OrZero(c).probabilities, c.Loss(), c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "doublysgd classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary encodes the classifier. It returns an error if the kernel or the loss has no
// encoding.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps rkhs.ErrFormat, c
// is unchanged.
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
