package alignment

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/svm"
)

// Classifier predicts labels on a learned kernel: by kernel ridge regression, of which
// the largest score counts, or by support vector machines, one for each pair of classes,
// of which each has a vote. It is immutable and safe for concurrent use. Methods of a
// Classifier that was not fitted return zero values, or an error that wraps
// rkhs.ErrUnfitted.
type Classifier struct {
	model  *Model
	labels []int // ascending
	voting bool  // scores are of pairs

	probabilities calibrate.Classes
}

// FitClassifier learns a kernel from rows x (n×d) and their labels (n×1), any
// whole numbers, as SearchClasses does. It is then Fit for targets of one column for each
// class, 1 in its rows and 0 in others, or of a single one of −1 and 1 for two classes.
// Where all rows are equal the model is constant. Nil options mean the defaults.
//
// With Criterion = Alignment, or if C is given, it trains support vector machines with a
// soft margin instead,
//
//	min_f,b ‖f‖²/2 + C·Σ_i max(0, 1 − y_i·(f(x_i) + b)),  y_i = ±1,
//
// for each pair of classes, with C·w_i for a row of weight w_i. C is chosen on validation rows, or by five-fold
// cross-validation on at most 4000 rows. No more than 256 MiB of kernel values are held
// at a time, or a quarter of that for each of several pairs, and no Gram matrix; the time
// grows between n² and n³.
//
// A single class, and labels that are not whole numbers, give rkhs.ErrLabels. A fit that
// is cancelled, stopped by the Recorder, or did not converge, returns its model so far
// together with the error.
func FitClassifier(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Classifier, error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	s, err := opts.settings(classifying)
	if err != nil {
		return nil, err
	}
	t, names, err := newLabelledTask(x, labels, s)
	if err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	m, sample, err := classify(t, len(names), s, r)
	if m == nil {
		return nil, err
	}
	c := &Classifier{model: m, labels: names, voting: s.machines}
	c.probabilities = calibrate.FitClasses(sample, len(names), c.layout(), nil)
	return c, err
}

// layout returns what the scores are of.
func (c *Classifier) layout() calibrate.Layout {
	if c.voting {
		return calibrate.OfPairs
	}
	return calibrate.OfClasses
}

// classify learns the kernel and then the scores, from all rows. It also returns what these
// are calibrated by.
func classify(t *task, count int, s *settings, r *monitor.Monitor) (m *Model, sample calibrate.Sample, err error) {
	learned, err := newSearch(s, r).best(t)
	if err != nil {
		return nil, sample, err
	}
	k := learned.simplest()
	if s.machines {
		if m, err = machine(t, learned, count, s, r); err == nil {
			sample, err = otherMachines(k, m.report.C, count, t, s, r), r.Err()
		}
		return m, sample, err
	}
	f := newRidge(k, t.all, s, r)
	g, err := f.fit(s.ridgeOf(learned))
	if err != nil {
		return nil, sample, err
	}
	return newModel(s, learned, g), otherRidges(f, g, t, s, r), r.Err()
}

// machine trains support vector machines on the learned kernel.
func machine(t *task, learned *Result, count int, s *settings, r *monitor.Monitor) (*Model, error) {
	f := newMachines(learned.simplest(), t.all, count, s)
	c, wrong, err := f.chooseC(t.validation, r)
	if err != nil {
		return nil, err
	}
	var last *svm.Classes
	if list, err := f.path(r.Context(), c, 0); len(list) > 0 {
		last = list[len(list)-1]
	} else if !r.Stopped() {
		return nil, err
	}
	sol := f.solution(last, r)
	sol.report.C, sol.report.HeldOutLoss = c, wrong
	m := newModel(s, learned, sol)
	return m, r.Err()
}

// Model returns the scores, with their kernel and certificate.
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
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula writes the classifier out, without sharing memory.
func (c *Classifier) Formula() formula.Formula {
	f, labels := c.Model().Formula(), c.Labels()
	if model.OrZero(c).voting && len(labels) > 2 {
		f = model.DecidingBy(f, labels, formula.Votes)
		f.Probabilities = c.probabilities.Formula()
		return f
	}
	return model.Deciding(f, labels, &model.OrZero(c).probabilities)
}

// names are the labels, and how scores decide between them.
func (c *Classifier) names() model.Labels {
	c = model.OrZero(c)
	l := model.Labels{Names: c.labels}
	if c.voting {
		l.Decide = decide(len(c.labels))
	}
	return l
}

// Scores returns f(x): n×1, positive for the larger label, for two classes. For more it
// has a column for each label; or of support vector machines n×K(K−1)/2, a column for each
// pair of labels in the order (0,1), (0,2), … (1,2), …, positive for the larger of the
// pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Of equal votes or
// scores the smallest label wins.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of one number, to the label of a single row x, as Model.PredictRow does.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, a column a label in ascending order, as
// scores of rows that were not learned from tell (Report.Calibration); of machines for pairs of
// more than two classes, those that agree best with all pairs (Wu, Lin and Weng, 2004). The
// errors are those of Predict and rkhs.ErrUncalibrated.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "alignment classifier", Decode: decodeCalibratedClassifier,
	Encode: (*Classifier).encodeCalibrated, Fitted: func(c *Classifier) bool { return c.Model().fitted() }})

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written, and with an error that wraps rkhs.ErrUnfitted if there is no
// classifier.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	e.Bool(c.voting)
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
	if d.Err() == nil {
		c.probabilities.Check(d, len(c.labels), len(c.model.sum.Intercept))
	}
	return c
}

// decodeClassifier reads a classifier without its probabilities.
func decodeClassifier(d *codec.Decoder) Classifier {
	c := Classifier{labels: d.Labels(), voting: d.Bool()}
	m := decodeModel(d)
	return c.with(&m, d)
}

// with adds the model that was read, which has a score for each pair of labels, or for each
// label.
func (c Classifier) with(m *Model, d *codec.Decoder) Classifier {
	k, q, want := len(c.labels), len(m.sum.Intercept), len(c.labels)
	if c.voting || k == 2 {
		want = k * (k - 1) / 2
	}
	if d.Err() == nil && q != want {
		d.Fail("%d labels for %d outputs", k, q)
	}
	c.model = m
	return c
}
