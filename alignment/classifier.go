package alignment

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// Classifier predicts labels by support vector machines on a learned kernel, one
// for each pair of classes, of which each has a vote. It is immutable and safe
// for concurrent use.
type Classifier struct {
	model  *Model
	labels []int // ascending
}

// FitClassifier learns a kernel from rows x (n×d) and their labels (n×1), any
// whole numbers, as SearchClasses does, and then support vector machines with a
// soft margin. C, and Shrink where it applies, are chosen on validation rows;
// unless those were given, kernel and machines are then learned from all rows.
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
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	t, c, err := s.labelled(x, labels)
	if err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, "alignment")
	defer r.Close()
	m, err := s.classify(t, len(c.labels), r)
	if m == nil {
		return nil, err
	}
	return &Classifier{model: m, labels: c.labels}, err
}

// Model returns the machines: their scores, kernel and certificate.
func (c *Classifier) Model() *Model { return c.model }

// Kernel returns the learned kernel.
func (c *Classifier) Kernel() kernel.Kernel { return c.model.Kernel() }

// Report returns the certificate of the machines.
func (c *Classifier) Report() Report { return c.model.Report() }

// Seed returns the seed of the fit.
func (c *Classifier) Seed() uint64 { return c.model.seed }

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.labels) }

// Scores returns f(x): n×1, positive for the larger label, for two classes, and
// for more n×K(K−1)/2, a column for each pair of labels in the order (0,1), (0,2),
// … (1,2), …, positive for the larger of the pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.model.Predict(x) }

// Predict returns the labels, n×1.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := c.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Of equal votes
// the smallest label wins.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	scores, err := c.model.eval(x)
	if err != nil {
		return err
	}
	out := compute.NewMatrix(scores.Rows, 1)
	for i, k := range votes(scores, len(c.labels)) {
		out.Data[i] = float64(c.labels[k])
	}
	return door.Store("alignment", dst, out)
}

// votes returns the class of each row of scores.
func votes(scores compute.Matrix, classes int) []int {
	winner, count := make([]int, scores.Rows), make([]int, classes)
	for i := range winner {
		clear(count)
		for p, pair := range svm.PairsOf(classes) {
			if row(scores, i)[p] > 0 {
				count[pair[1]]++
			} else {
				count[pair[0]]++
			}
		}
		for k, v := range count {
			if v > count[winner[i]] {
				winner[i] = k
			}
		}
	}
	return winner
}
