package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Classifier predicts labels by machines for each pair of them, of which each has a vote. It is
// immutable and safe for concurrent use. Methods of a Classifier that was not fitted return
// zero values, or an error that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model  *Model
	labels []int // ascending
	order  []int // the places of labels in the order in which LIBSVM has them

	probabilities calibrate.Classes
}

// Model returns the scores, with their kernel, support vectors and certificate.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report says how the scores were found.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula writes the classifier out, without sharing memory. Of equal votes a classifier that was
// read from a file of LIBSVM has the first label there, where formula.Votes has the smallest.
func (c *Classifier) Formula() formula.Formula {
	f, labels := c.Model().Formula(), c.Labels()
	if len(labels) > 2 {
		f = model.DecidingBy(f, labels, formula.Votes)
		f.Probabilities = c.probabilities.Formula()
		return f
	}
	return model.Deciding(f, labels, &model.OrZero(c).probabilities)
}

func (c *Classifier) names() model.Labels {
	c = model.OrZero(c)
	return model.Labels{Names: c.labels, Decide: votes{len(c.labels), c.order}.decide}
}

// Scores returns f(x): n×1, positive for the larger label, for two labels. For K labels it is
// n×K(K−1)/2, a column for each pair of labels in the order (0,1), (0,2), … (1,2), …, positive
// for the larger of the pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. Errors are those of Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Of equal votes the smallest
// label wins, or of a classifier that was read from a file of LIBSVM the first there.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of one number, to the label of a single row x, as Model.PredictRow does. Of
// more than 32 labels it allocates what the votes take.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, a column a label in ascending order, as
// scores of rows that were not learned from tell (Report.Calibration); of more than two labels
// those that agree best with all pairs (Wu, Lin and Weng, 2004). The errors are those of Predict and
// rkhs.ErrUncalibrated, as of what was read from a file of LIBSVM.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

// votes decide between classes as LIBSVM does, which has them in some order: of each pair the
// class that comes first in it has the vote if its score is positive, and else the other; of
// equal votes the first class wins.
type votes struct {
	count int
	order []int
}

// defaultOrder is ascending, so that of equal votes the smallest label wins; of two labels it
// descends, so that a score of zero is the smaller one.
func defaultOrder(count int) []int {
	order := compute.Indices(count)
	if count == 2 {
		slices.Reverse(order)
	}
	return order
}

// decide returns the class of scores that are positive for the larger class of a pair.
func (v votes) decide(scores []float64) int {
	var few [2 * 32]int // on the stack
	memory := few[:]
	if 2*v.count > len(memory) {
		memory = make([]int, 2*v.count)
	}
	place, won := memory[:v.count], memory[v.count:2*v.count]
	for t, class := range v.order {
		place[class] = t
	}
	p := 0
	for first := range v.count {
		for second := first + 1; second < v.count; second++ {
			a, b, s := first, second, -scores[p]
			if place[b] < place[a] {
				a, b, s = b, a, -s
			}
			if s > 0 {
				won[a]++
			} else {
				won[b]++
			}
			p++
		}
	}
	best := v.order[0]
	for _, class := range v.order {
		if won[class] > won[best] {
			best = class
		}
	}
	return best
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "svm classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model() != nil }})

// MarshalBinary returns the classifier as a file. It fails if the kernel cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data. On an error, which wraps
// rkhs.ErrFormat, c is left as it was.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	e.Ints(c.order)
	if err := c.model.encode(e); err != nil {
		return err
	}
	c.probabilities.Encode(e)
	return nil
}

func decodeClassifier(d *codec.Decoder) Classifier {
	c := Classifier{labels: d.Labels(), order: d.Ints()}
	m := decodeModel(d)
	k := len(c.labels)
	if d.Err() != nil {
		return c
	}
	if !slices.Equal(slices.Sorted(slices.Values(c.order)), compute.Indices(k)) {
		d.Fail("the order %v of %d labels", c.order, k)
	} else if _, q := m.Dims(); q != k*(k-1)/2 {
		d.Fail("%d labels for %d outputs", k, q)
	}
	c.model = &m
	c.probabilities = calibrate.DecodeClasses(d)
	c.probabilities.Check(d, k, k*(k-1)/2)
	return c
}
