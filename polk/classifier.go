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

// Classifier predicts labels: by the sign of one function for a binary loss, else by the largest
// of one function per class. It is immutable and safe for concurrent use. Methods of a nil or
// zero Classifier return zero values, and errors that wrap rkhs.ErrUnfitted.
type Classifier struct {
	model         *Model
	labels        []int
	probabilities calibrate.Classes
}

// newClassifier returns a calibrated classifier, or nil without a model.
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

// Labels returns the labels in the order of the classes: ascending from FitClassifier, else in
// the order of the ClassLearner.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula returns the classifier as a formula that shares no memory with it.
func (c *Classifier) Formula() formula.Formula {
	return model.WithLoss(model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities), c.Report().Loss)
}

// Report describes the fit.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Dims returns the number of inputs d and of functions.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Scores returns f(x): n×K in the order of Labels; for a binary loss n×1, positive for the
// second label.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow stores the label of a single row x in dst, of length 1; see Model.PredictRow.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probability of each label, n×K in the order of Labels, calibrated on scores
// of unseen rows (Report.Calibration); in a stream, on the last 2000 rows before their updates.
// After a merge the probabilities come from a loss.Probable or loss.MultiProbable; for other
// losses the error wraps rkhs.ErrNoCalibration.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, c.Report().Loss, c.Model().function(), x)
}

// names returns the labels with the decision rule. A single label is always predicted.
func (c *Classifier) names() model.Labels {
	c = model.OrZero(c)
	return model.Labels{Names: c.labels, Decide: func(scores []float64) int {
		return min(decide(c.model.report.Loss, scores), len(c.labels)-1)
	}}
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "polk classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary encodes the classifier. It returns an error if the kernel or the loss has no
// encoding.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by an encoded classifier. On an error, which wraps rkhs.ErrFormat,
// c is unchanged.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	return classifierFormat.Unmarshal(c, data)
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	if err := c.model.encodeWithoutIntervals(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := decodeLabels(d)
	m := decodeWithoutIntervals(d)
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

// decodeLabels reads distinct labels.
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
