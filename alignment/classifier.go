package alignment

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Classifier predicts labels with a learned kernel: by kernel ridge regression, where the
// largest score wins, or by support vector machines for all pairs of classes, where each
// machine has one vote. It is immutable and safe for concurrent use. Methods of an
// unfitted Classifier return zero values, or an error that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model  *Model
	labels []int // ascending
	voting bool  // there is a score for each pair of classes

	probabilities calibrate.Classes
}

// FitClassifier learns a kernel from rows x (n×d) and their labels (n×1), any whole
// numbers, as SearchClasses does. It then fits ridge regression as Fit does. The targets
// have a column for each class, 1 in its rows and 0 elsewhere, or one column of −1 and 1
// for two classes. The model is constant if all rows are equal. Nil options select the
// defaults.
//
// With Criterion = Alignment, or if C is given, FitClassifier trains support vector
// machines instead, for each pair of classes
//
//	min_f,b ‖f‖²/2 + C·Σ_i max(0, 1 − y_i·(f(x_i) + b)),  y_i = ±1,
//
// where a row of weight w_i has the factor C·w_i. C is selected on the validation rows, or
// by five-fold cross-validation on at most 4000 rows. The machines need between O(n²) and
// O(n³) time and no Gram matrix. A cache holds up to 256 MiB of kernel values.
//
// A single class, and labels that are not whole numbers, give rkhs.ErrLabels. If the context or the
// Recorder stops the fit, it returns its current model and the error.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	r, err := newRun(ctx, classifying, x, labels, opts)
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	m, sample, err := r.model()
	if err != nil {
		return nil, err
	}
	layout := calibrate.OfClasses
	if r.options.machines {
		layout = calibrate.OfPairs
	}
	return &Classifier{
		model:         m,
		labels:        r.task.labels,
		voting:        r.options.machines,
		probabilities: calibrate.FitClasses(sample, len(r.task.labels), layout, nil),
	}, r.monitor.Err()
}

// Model returns the model of the scores.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs d and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report returns the certificate of the scores.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.decision().Names) }

// Formula returns the classifier as a formula that shares no memory with it.
func (c *Classifier) Formula() formula.Formula {
	f, labels := c.Model().Formula(), c.Labels()
	if model.OrZero(c).voting && len(labels) > 2 {
		f = model.DecidingBy(f, labels, formula.Votes)
		f.Probabilities = c.probabilities.Formula()
		return f
	}
	return model.Deciding(f, labels, &model.OrZero(c).probabilities)
}

// decision returns the labels and the rule by which scores select one.
func (c *Classifier) decision() model.Labels {
	c = model.OrZero(c)
	l := model.Labels{Names: c.labels}
	if c.voting {
		l.Decide = vote(len(c.labels))
	}
	return l
}

// Scores returns f(x). For two classes it is n×1, positive for the larger label. For K
// classes ridge regression has a column for each label. Support vector machines have a
// column for each pair of labels, (0,1), (0,2), … (1,2), …, n×K(K−1)/2, positive for the
// larger label of the pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. The smallest label wins a tie of votes or scores.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.decision().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.decision().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of length 1, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.decision(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, calibrated on scores of unseen rows
// (see Report.Calibration). Column k belongs to the k-th smallest label. Machines for
// several pairs are combined by pairwise coupling (Wu, Lin and Weng, 2004). Errors are as
// for Predict, and rkhs.ErrNoCalibration.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.decision().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "alignment classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary returns the classifier as a file. It returns an error if a kernel cannot
// be encoded, and rkhs.ErrUnfitted for an unfitted classifier.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. An error wraps rkhs.ErrFormat and
// leaves c unchanged.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	e.Bool(c.voting)
	err := c.model.encodeFunction(e)
	c.probabilities.Encode(e)
	return err
}

func decodeClassifier(d *codec.Decoder) Classifier {
	c := Classifier{labels: d.Labels(), voting: d.Bool()}
	m := decodeFunction(d)
	c.model, c.probabilities = &m, calibrate.DecodeClasses(d)
	classes, scores := len(c.labels), len(m.sum.Intercept)
	want := classes
	if c.voting || classes == 2 {
		want = pairCount(classes)
	}
	if d.Err() == nil && scores != want {
		d.Fail("%d labels for %d outputs", classes, scores)
	}
	if d.Err() == nil {
		c.probabilities.Check(d, classes, scores)
	}
	return c
}
