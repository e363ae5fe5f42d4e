package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/model"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

// Classifier predicts labels by a vote of machines, one for each pair of labels. It is immutable
// and safe for concurrent use. Methods of an unfitted Classifier return zero values, or an error
// that wraps rkhs.ErrUnfitted.
type Classifier struct {
	model  *Model
	labels []int // ascending
	order  ranking

	probabilities calibrate.Classes
}

// Model returns the scores with their kernel, support vectors and certificate.
func (c *Classifier) Model() *Model { return model.OrZero(c).model }

// Dims returns the number of inputs and of scores.
func (c *Classifier) Dims() (inputs, outputs int) { return c.Model().Dims() }

// Report describes the fit.
func (c *Classifier) Report() Report {
	r := c.Model().Report()
	r.Calibration = model.OrZero(c).probabilities.Report()
	return r
}

// Labels returns the labels in ascending order.
func (c *Classifier) Labels() []int { return slices.Clone(c.names().Names) }

// Formula returns the classifier as a formula. It shares no memory. Its rule formula.Votes breaks
// ties in favour of the smallest label, also for a classifier from a LIBSVM file.
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
	return model.Labels{Names: c.labels, Decide: c.order.decide}
}

// Scores returns f(x), n×K(K−1)/2 for K labels, with a column for each pair of labels in the order
// (0,1), (0,2), … (1,2), …. It is positive for the larger label of the pair.
func (c *Classifier) Scores(x mat.Matrix) (*mat.Dense, error) { return c.Model().Predict(x) }

// Predict returns the labels, n×1. Errors are as in Model.Predict.
func (c *Classifier) Predict(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Predict(pkg, c.Model().function(), x)
}

// PredictTo stores the labels in dst, which must be n×1 or empty. The smallest label wins a tie of
// votes. For a classifier from a LIBSVM file the first label in the file wins.
func (c *Classifier) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	return c.names().PredictTo(pkg, c.Model().function(), dst, x)
}

// PredictRow sets dst, of length 1, to the label of a single row x, as Model.PredictRow does. It
// allocates for more than 32 labels.
func (c *Classifier) PredictRow(dst, x []float64) error {
	return model.PredictRowLabel(pkg, c.names(), c.Model().function(), dst, x)
}

// Proba returns the probabilities of the labels, n×K, in ascending order of the labels, calibrated on
// scores of held-out rows, with pairwise coupling (Wu, Lin and Weng, 2004). Errors are as in Predict,
// and rkhs.ErrNoCalibration, also for a classifier from a LIBSVM file.
func (c *Classifier) Proba(x mat.Matrix) (*mat.Dense, error) {
	return c.names().Proba(pkg, &model.OrZero(c).probabilities, nil, c.Model().function(), x)
}

// ranking lists the classes in the order of a LIBSVM file. The class of lower rank has the vote of
// a pair if its score is positive, and wins a tie of votes.
type ranking []int

// defaultRanking ascends, so the smallest label wins a tie of votes. For two labels it descends,
// so a score of zero is a vote for the smaller label.
func defaultRanking(count int) ranking {
	order := compute.Indices(count)
	if count == 2 {
		slices.Reverse(order)
	}
	return order
}

// signed is a column of the scores with a sign, positive for a class.
type signed struct {
	column int
	sign   float64
}

// pair returns the scores of two ranks, signed for the lower rank.
func (r ranking) pair(a, b int) signed {
	first, second := r[min(a, b)], r[max(a, b)]
	sign := -1.0
	if first > second {
		first, second, sign = second, first, 1
	}
	return signed{first*(2*len(r)-first-1)/2 + second - first - 1, sign}
}

// others returns the scores of the pairs of a rank with each other rank, signed for the lower rank
// of the pair.
func (r ranking) others(rank int) (list []signed) {
	for other := range r {
		if other != rank {
			list = append(list, r.pair(rank, other))
		}
	}
	return list
}

// decide returns the class of scores that are positive for the larger class of each pair.
func (r ranking) decide(scores []float64) int {
	return r[engine.VoteOf(len(r), func(a, b int) bool {
		p := r.pair(a, b)
		return !(p.sign*scores[p.column] > 0)
	})]
}

var classifierFormat = codec.Register(codec.Format[Classifier]{Kind: "svm classifier", Decode: decodeClassifier,
	Encode: (*Classifier).encode, Fitted: func(c *Classifier) bool { return c.Model() != nil }})

// MarshalBinary returns the classifier as a file. It fails if the kernel cannot be written.
func (c *Classifier) MarshalBinary() ([]byte, error) { return classifierFormat.File(c) }

// UnmarshalBinary replaces c by the classifier in data, unless it returns rkhs.ErrFormat.
func (c *Classifier) UnmarshalBinary(data []byte) error { return classifierFormat.Unmarshal(c, data) }

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	e.Ints(c.order)
	err := c.model.encode(e)
	c.probabilities.Encode(e)
	return err
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
