package polk

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/loss"
)

// Classifier predicts labels: with a loss of labels ±1 by the sign of one
// function, else by the highest of one function a class. It is immutable and
// safe for concurrent use. Methods of a nil or zero Classifier return zero values,
// and errors that wrap rkhs.ErrUnfitted.
type Classifier struct {
	model         *Model
	labels        []int
	probabilities calibrate.Classes
}

// newClassifier returns nil for no model.
func newClassifier(m *Model, labels []int, s calibrate.Sample) *Classifier {
	if m == nil {
		return nil
	}
	c := &Classifier{model: m, labels: labels}
	if len(labels) > 1 {
		c.probabilities = calibrate.FitClasses(s, len(labels), calibrate.OfClasses, c.names().Of(m.report.Loss, s.Scores.Cols))
	}
	return c
}

// Model returns the functions.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Labels returns the labels in the order of the classes: ascending from
// FitClassifier, from a ClassLearner its own.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula writes the classifier out, without sharing memory. While a second label was not
// seen its rule gives the only one.
func (c *Classifier) Formula() formula.Formula {
	return model.WithLoss(model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities), c.Report().Loss)
}

// Report says how the functions were learned.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Dims returns the number of inputs d and of functions.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Scores returns f(x): n×K, a column a label in the order of Labels; with a loss
// of labels ±1 n×1, positive for the second label.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of one number, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probability of each label, n×K in the order of Labels, as scores of rows
// that were not learned from tell (Report.Calibration): of a stream those of its last 2000 rows,
// each before it was learned from. Where there are none, as after a merge, they are those that
// a loss.Probable as loss.Logistic or a loss.MultiProbable as
// loss.Softmax gives to the scores; for others the error wraps rkhs.ErrUncalibrated.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, c.Report().Loss, c.Model().function(), x)
}

// names returns the labels with the rule that decides between them: that of decide,
// and the only label while a second was not seen.
func (c *Classifier) names() model.Labels {
	c = model.OrZero(c)
	return model.Labels{Names: c.labels, Decide: func(scores []float64) int {
		return min(decide(c.model.report.Loss, scores), len(c.labels)-1)
	}}
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "polk classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary returns the classifier as a file. It fails if kernel or loss cannot
// be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	return classifierFormat.Unmarshal(c, data)
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	if err := c.model.encodeUncalibrated(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := decodeLabels(d)
	m := decodeUncalibrated(d)
	if d.Err() == nil {
		l, q := m.report.Loss, len(m.f.Intercept)
		if !classifies(l) && !loss.Quadratic(l) {
			d.Fail("a classifier with the loss %v", l)
		}
		if len(labels) < 1 || checkLabels(labels, l) != nil || q != outputsFor(len(labels), l) {
			d.Fail("%d labels for %d outputs", len(labels), q)
		}
	}
	c := Classifier{model: &m, labels: labels, probabilities: calibrate.DecodeClasses(d)}
	c.probabilities.Check(d, len(labels), len(m.f.Intercept))
	return c
}

// decodeLabels reads labels that are all different.
func decodeLabels(d *codec.Decoder) []int {
	labels := d.Ints()
	seen := map[int]bool{}
	for _, l := range labels {
		if seen[l] {
			d.Fail("label %d comes twice", l)
		}
		seen[l] = true
	}
	return labels
}
