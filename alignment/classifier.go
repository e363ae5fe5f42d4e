package alignment

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/svm"
)

// Classifier predicts labels by support vector machines on a learned kernel, one
// for each pair of classes, of which each has a vote. It is immutable and safe
// for concurrent use. Methods of a Classifier that was not fitted return zero values,
// or an error that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model  *Model
	labels []int // ascending
}

// FitClassifier learns a kernel from rows x (n×d) and their labels (n×1), any
// whole numbers, as SearchClasses does, and then support vector machines with a
// soft margin,
//
//	min_f,b ‖f‖²/2 + C·Σ_i max(0, 1 − y_i·(f(x_i) + b)),  y_i = ±1,
//
// for each pair of classes. C, and Shrink where it applies, are chosen on validation
// rows; unless those were given, kernel and machines are then learned from all rows.
// Classes of which no rows can be set aside are not chosen by; if there are none
// of any class, C is the middle one of the list. Where all rows are equal the
// model is constant. Nil options mean the defaults.
//
// No more than 256 MiB of kernel values are held at a time, or a quarter of that
// for each of several pairs, and no Gram matrix. A single class, and labels that
// are not whole numbers, give rkhs.ErrLabels. A fit that is
// cancelled, stopped by the Recorder, or did not converge, returns its model so
// far together with the error.
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
	m, err := classify(t, len(names), s, r)
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: names}, err
}

// classify chooses on the rows set aside and fits to all rows.
func classify(t *task, count int, s *settings, r *monitor.Monitor) (*Model, error) {
	search := newSearch(s, r)
	learned, err := search.choose(t)
	if err != nil {
		return nil, err
	}
	f := newMachines(learned.simplest(), t.all.pick(t.learn), count, s)
	c, heldOutLoss := s.C[len(s.C)/2], 0.0
	var chosen *svm.Classes
	if t.check.x.Rows > 0 {
		if chosen, heldOutLoss, err = f.choose(t.check, r); err != nil {
			return nil, err
		}
		if chosen != nil {
			c = chosen.Pairs[0].C
		}
	}
	if t.divided() && !r.Stopped() {
		if learned, err = search.learn(t.all, learned.Shrink); err != nil {
			return nil, err
		}
		f, chosen = newMachines(learned.simplest(), t.all, count, s), nil
	}
	if chosen == nil || !converged(chosen) {
		list, err := f.path(r.Context(), c, 0)
		if len(list) > 0 {
			chosen = list[len(list)-1]
		} else if chosen = nil; !r.Stopped() {
			return nil, err
		}
	}
	weights, intercept, report := f.solution(chosen, r)
	report.C, report.HeldOutLoss = c, heldOutLoss
	m := newModel(s, learned, f.x, weights, intercept, report)
	if r.Stopped() {
		return m, r.Err()
	}
	if report.Status != rkhs.Converged {
		return m, fmt.Errorf("alignment: support vector machines ended with status %v at a violation of %.2g: %w", report.Status, report.Violation, rkhs.ErrNotConverged)
	}
	return m, nil
}

// Model returns the machines: their scores, kernel and certificate.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs d and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report returns the certificate of the machines.
func (c *Classifier) Report() Report { return c.Model().Report() }

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// names are the labels, and how scores decide between them.
func (c *Classifier) names() model.Labels {
	c = model.OrZero(c)
	return model.Labels{Names: c.labels, Decide: decide(len(c.labels))}
}

// Scores returns f(x): n×1, positive for the larger label, for two classes, and
// for more n×K(K−1)/2, a column for each pair of labels in the order (0,1), (0,2),
// … (1,2), …, positive for the larger of the pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Of equal votes
// the smallest label wins.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "alignment classifier", Versions: []func(*codec.Decoder) Classifier{decodeClassifier}})

// MarshalBinary returns the classifier as a file. It fails if a kernel cannot
// be written, and with an error that wraps rkhs.ErrUnfitted if there is no
// classifier.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	if err := model.Fitted(pkg, "MarshalBinary", c.Model().function()); err != nil {
		return nil, err
	}
	return classifierFormat.Marshal(c.encode)
}

// UnmarshalBinary replaces c by the classifier in data. On an error, which
// wraps rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := d.Labels()
	m := decodeModel(d)
	if k, q := len(labels), len(m.sum.Intercept); d.Err() == nil && q != k*(k-1)/2 {
		d.Fail("%d labels for %d outputs", k, q)
	}
	return Classifier{model: &m, labels: labels}
}
