package slkl

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Classifier predicts labels. For two classes it uses the sign of one regression on targets ±1; for
// more, the largest of one regression for each class against the rest. It is immutable and safe for
// concurrent use.
type Classifier struct {
	model         *Model
	labels        []int // ascending
	probabilities calibrate.Classes
}

// FitClassifier fits rows x (n×d), which may be weighted, and their labels (n×1), which may be any whole
// numbers. It returns the errors of Fit, and rkhs.ErrLabels for a fractional label or a single class.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	w, names, index, err := input.WeighedClasses(pkg, input.Points, x, labels)
	if err != nil {
		return nil, err
	}
	m, sample, err := fitRows(ctx, s, task{x: w.X, y: targets(index, len(names)), weights: w.Weights, classes: index})
	return newClassifier(m, names, sample), err
}

// newClassifier returns nil if m is nil.
func newClassifier(m *Model, labels []int, s calibrate.Sample) *Classifier {
	if m == nil {
		return nil
	}
	probabilities := calibrate.FitClasses(s, len(labels), calibrate.OfClasses, nil)
	return &Classifier{model: m, labels: labels, probabilities: probabilities}
}

// outputsFor returns the number of regressions for a number of classes.
func outputsFor(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// targets returns the targets ±1 of the regressions for class indices.
func targets(index []int, classes int) compute.Matrix {
	return input.Targets(index, outputsFor(classes))
}

// Model returns the regressions on the targets ±1, nil if c is not fitted.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(model.OrZero(c).labels) }

// Formula returns the classifier as a formula, which shares no memory with it.
func (c *Classifier) Formula() formula.Formula {
	return model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities)
}

// Dims returns the number of inputs d and the number of columns of Scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report returns the report of the regressions.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Scores returns f(x). For two classes it is n×1 and positive for the larger label; for K classes it is
// n×K, with a column for each label in ascending order.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return model.Labels{Names: c.Labels()}.PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow stores the label of a single row x in dst, of length one; see Model.PredictRow.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, model.Labels{Names: model.OrZero(c).labels}, c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, with a column for each label in ascending order
// (see Report.Calibration). It returns the errors of Predict and rkhs.ErrNoCalibration.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return model.Labels{Names: c.Labels()}.Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "slkl classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary returns the classifier as a file. It returns an error if a kernel cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps rkhs.ErrFormat, c is
// unchanged.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	if err := c.model.encodeWithoutIntervals(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := d.Labels()
	m := decodeWithoutIntervals(d)
	checkOutputs(d, len(labels), len(m.sum.Intercept))
	c := Classifier{model: &m, labels: labels, probabilities: calibrate.DecodeClasses(d)}
	c.probabilities.Check(d, len(labels), len(m.sum.Intercept))
	return c
}

// checkOutputs fails unless the number of outputs fits the number of labels.
func checkOutputs(d *codec.Decoder, labels, outputs int) {
	if outputs != outputsFor(labels) {
		d.Fail("%d labels for %d outputs", labels, outputs)
	}
}
