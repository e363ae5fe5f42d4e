// Package formula writes fitted models out: as constants, functions of the spaces of
// kernels, functions of explicit features, and the rule by which scores decide between
// labels. All models and classifiers of this module have a method Formula. It is what
// exports to other formats are made of (packages export and onnx), and whatever else wants
// to read a model: which points it sits on, with which weights, under which kernel.
package formula

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Formula is the function of d inputs and q outputs
//
//	f_o(x) = Intercept_o + Σ_t Expansions[t]_o(x) + Σ_u Features[u]_o(x)
//
// with what Predict makes of its values. The zero Formula is that of a model that was not
// fitted. It shares no memory with the model that it was asked of.
type Formula struct {
	Inputs     int                  // d
	Intercept  []float64            // q
	Expansions []kernel.Expansion   // each of d inputs and q outputs, or the zero function
	Features   []features.Expansion // each of d inputs and q outputs, or the zero function
	// Output is what a regression predicts; a classifier has AsIs, as its scores are.
	Output Output
	// Labels are those of a classifier, in the order of its classes, and Rule is how the
	// scores f(x) decide between them; nil and NoRule of a regression.
	Labels []int
	Rule   Rule
	// Probabilities say how scores become probabilities of the labels; nil where there are none, or
	// where a loss gives others than a sigmoid or a softmax.
	Probabilities *Probabilities
}

// Probabilities are how scores s, one row of f(x), become probabilities p of K labels. Agree then makes the label that
// the rule decides on the most probable one.
type Probabilities struct {
	// Kind says how.
	Kind Kind
	// Sums is set where scores of pairs of labels become one for each label first: the sum of those
	// of its pairs (i, j), j being the label, less that of those where it is i.
	Sums bool
	// Slopes a and Shifts b are those of each score, of Sigmoid and of Softmax.
	Slopes, Shifts []float64
	// Curves are those of each score, of Curves.
	Curves []Curve
}

// Curve is a probability that is linear between the places At, ascending, and constant beyond.
type Curve struct{ At, Values []float64 }

// Kind is how scores become probabilities.
type Kind int

const (
	// Sigmoid has c_j = 1/(1 + exp(−a_j·s_j − b_j)) for each score.
	Sigmoid Kind = iota
	// Curves has c_j by a Curve for each score.
	Curves
	// Softmax has p_k = exp(a_k·s_k + b_k)/Σ_l exp(a_l·s_l + b_l).
	Softmax
)

// By the first two, the second of two labels with a single score has the probability c_0, labels
// with a score each have p_k = c_k/Σ_l c_l, and a score of a pair (i, j) tells that it is j, if it is
// one of them: p are those that agree best with all pairs (Wu, Lin and Weng, "Probability
// estimates for multi-class classification by pairwise coupling", 2004, the second way).

// AgreeMargin is by which part the probability of the label exceeds the others, and LeastProbability is the least that
// any label has, so that logarithms of probabilities are finite.
const (
	AgreeMargin      = 0x1p-20
	LeastProbability = 0x1p-1000
)

// Agree changes probabilities p so that the class that the rule decides on has the largest: no other one exceeds
// (1 − AgreeMargin)·c for the mean c of its probability and the largest, and it gets the excess. Scores and probabilities
// are calibrated apart, so that they may differ at rows where two classes are about as probable.
func Agree(p []float64, class int) {
	bound := (1 - AgreeMargin) * (p[class] + slices.Max(p)) / 2
	others := 0.0
	for k := range p {
		if k != class {
			p[k] = max(min(p[k], bound), LeastProbability)
			others += p[k]
		}
	}
	p[class] = 1 - others
}

func (k Kind) String() string {
	if k < Sigmoid || k > Softmax {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return [...]string{"sigmoid", "curves", "softmax"}[k]
}

// Outputs returns q, 0 of a model that was not fitted.
func (f Formula) Outputs() int { return len(f.Intercept) }

// Numbers returns about how many numbers f is made of, frequencies of random features among
// them.
func (f Formula) Numbers() (n float64) {
	for _, e := range f.Expansions {
		if s, ok := e.Points.(*rkhs.Sparse); ok {
			n += float64(len(s.Values) + s.Rows*f.Outputs())
		} else {
			n += float64(e.ModelOrder()) * float64(f.Inputs+f.Outputs())
		}
	}
	for _, e := range f.Features {
		if b := e.ModelOrder(); b > 0 {
			n += float64(b) * float64(e.Map.Columns()) * float64(f.Inputs+f.Outputs())
		}
	}
	return n
}

// A Modeler is what can be written out.
type Modeler interface{ Formula() Formula }

// Output is what predictions are of f(x).
type Output int

const (
	// AsIs predicts f(x).
	AsIs Output = iota
	// Ascending predicts the values of a row in ascending order.
	Ascending
	// Exponential predicts exp(min(f(x), 700)).
	Exponential
	// Nonnegative predicts max(f(x), 0).
	Nonnegative
)

func (o Output) String() string {
	if o < AsIs || o > Nonnegative {
		return fmt.Sprintf("Output(%d)", int(o))
	}
	return [...]string{"as is", "ascending", "exponential", "nonnegative"}[o]
}

// Rule is how scores, one row of f(x), decide between the labels.
type Rule int

const (
	// NoRule is that of a regression.
	NoRule Rule = iota
	// Positive takes the second of two labels where the one score is positive, else the first.
	Positive
	// NotNegative takes the first of two labels where the one score is negative, else the
	// second.
	NotNegative
	// Highest takes the label of the highest score, the first of these if there are several. There
	// is a score for each label.
	Highest
	// Votes has a score for each pair of labels (i, j), i < j, in the order (0,1), (0,2), …
	// (1,2), …: one vote for j where it is positive, else for i. It takes the label of the
	// most votes, the first of these if there are several.
	Votes
)

func (r Rule) String() string {
	if r < NoRule || r > Votes {
		return fmt.Sprintf("Rule(%d)", int(r))
	}
	return [...]string{"none", "positive", "not negative", "highest", "votes"}[r]
}
