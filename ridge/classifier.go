package ridge

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Classifier predicts the label of the largest of the scores that a Model gives, one
// against the rest. It is immutable and safe for concurrent use. Methods of a Classifier that
// was not fitted return zero values, or an error that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model         *Model
	labels        []int // ascending
	probabilities calibrate.Classes
}

// Model returns the scores, with their kernel and certificate.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs d and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report says how the scores were found.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula writes the classifier out, without sharing memory.
func (c *Classifier) Formula() formula.Formula {
	return model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities)
}

func (c *Classifier) names() model.Labels { return model.Labels{Names: model.OrZero(c).labels} }

// Scores returns f(x), n×q: a column for each label, or for two labels a single one that
// is positive for the larger.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. Errors are those of Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Of equal scores the
// smallest label wins.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of one number, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, a column a label in ascending order, as
// scores of rows that were not learned from tell (Report.Calibration). The errors are those of
// Predict and rkhs.ErrUncalibrated.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "ridge classifier", Decode: decodeCalibratedClassifier,
	Encode: (*Classifier).encodeCalibrated, Fitted: func(c *Classifier) bool { return c.Model() != nil }})

// MarshalBinary returns the classifier as a file. It fails if the kernel cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps
// rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func (c *Classifier) encodeCalibrated(e *codec.Encoder) error {
	if err := c.encode(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeCalibratedClassifier(d *codec.Decoder) Classifier {
	c := decodeClassifier(d)
	c.probabilities = calibrate.DecodeClasses(d)
	if _, columns := c.Dims(); d.Err() == nil {
		c.probabilities.Check(d, len(c.labels), columns)
	}
	return c
}

// decodeClassifier reads a classifier without its probabilities.
func decodeClassifier(d *codec.Decoder) Classifier {
	c := Classifier{labels: d.Labels()}
	m := decodeModel(d)
	want := len(c.labels)
	if want == 2 {
		want = 1
	}
	if _, q := m.Dims(); d.Err() == nil && q != want {
		d.Fail("%d labels for %d outputs", len(c.labels), q)
	}
	c.model = &m
	return c
}
