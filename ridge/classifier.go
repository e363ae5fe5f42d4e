package ridge

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Classifier predicts the label with the highest score of a Model, one against the rest. It is
// immutable and safe for concurrent use. Methods of an unfitted Classifier return zero values, or
// an error that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model         *Model
	labels        []int // ascending
	probabilities calibrate.Classes
}

// NewClassifier returns a classifier with ascending labels and scores that were solved elsewhere; see
// Scores. Errors wrap rkhs.ErrUnfitted, rkhs.ErrLabels and rkhs.ErrShape.
func NewClassifier(scores *Model, labels []int) (*Classifier, error) {
	if err := model.Fitted(pkg, "NewClassifier", scores.function()); err != nil {
		return nil, err
	}
	sorted, err := input.Announced(pkg, labels)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(sorted, labels) {
		return nil, fmt.Errorf("ridge: labels %v do not ascend: %w", labels, rkhs.ErrLabels)
	}
	if _, q := scores.Dims(); q != outputsOf(labels) {
		return nil, fmt.Errorf("ridge: %d scores of %d labels: %w", q, len(labels), rkhs.ErrShape)
	}
	return &Classifier{model: scores, labels: sorted}, nil
}

// outputsOf returns the number of scores for labels.
func outputsOf(labels []int) int {
	if len(labels) == 2 {
		return 1
	}
	return len(labels)
}

// Model returns the scores with their kernel and certificate.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs d and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report describes the fit.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula returns the classifier as a formula. It shares no memory.
func (c *Classifier) Formula() formula.Formula {
	return model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities)
}

func (c *Classifier) names() model.Labels { return model.Labels{Names: model.OrZero(c).labels} }

// Scores returns f(x), n×q: a column for each label, or one that is positive for the larger of two.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. Errors are as in Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. The smallest label wins a tie.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of length 1, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, in ascending order of the labels, calibrated on
// scores of unseen rows. Errors are as in Predict, and rkhs.ErrNoCalibration.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "ridge classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model() != nil }})

// MarshalBinary returns the classifier as a file. It fails if the kernel cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data, unless it returns rkhs.ErrFormat.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	err := c.model.encode(e)
	c.probabilities.Encode(e)
	return err
}

func decodeClassifier(d *codec.Decoder) Classifier {
	c := Classifier{labels: d.Labels()}
	m := decodeModel(d)
	c.model = &m
	_, q := m.Dims()
	if d.Err() == nil && q != outputsOf(c.labels) {
		d.Fail("%d labels for %d outputs", len(c.labels), q)
	}
	c.probabilities = calibrate.DecodeClasses(d)
	if d.Err() == nil {
		c.probabilities.Check(d, len(c.labels), q)
	}
	return c
}
