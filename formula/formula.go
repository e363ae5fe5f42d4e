// Package formula describes a fitted model as data: constants, kernel expansions, expansions in
// explicit features, and the rule that maps scores to labels. Every model and classifier of this
// module has a method Formula, which returns a [Formula]. Packages export and onnx write formulas to files.
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
// and the map from its values to predictions. The Formula of an unfitted model is zero. It shares no
// memory with the model.
type Formula struct {
	Inputs     int                  // d
	Intercept  []float64            // q
	Expansions []kernel.Expansion   // each with d inputs and q outputs, or zero
	Features   []features.Expansion // each with d inputs and q outputs, or zero
	// Output maps f(x) to the predictions of a regression. A classifier has AsIs.
	Output Output
	// Labels are the labels of a classifier in the order of its classes, and Rule decides between
	// them; nil and NoRule for a regression.
	Labels []int
	Rule   Rule
	// Probabilities maps scores to probabilities. It is nil for a model without probabilities and
	// for a loss that uses neither a sigmoid nor a softmax.
	Probabilities *Probabilities
}

// Probabilities maps the scores s, one row of f(x), to probabilities p of K labels. Agree then makes
// the decided label the most probable one.
//
// Sigmoid and Curves have a value c_j per score. With one score, the second of two labels has the
// probability c_0. With one score per label, p_k = c_k/Σ_l c_l. With one score per pair (i, j), c is
// the probability of j given i or j, and p agrees best with all pairs (Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling", 2004, method 2).
type Probabilities struct {
	Kind Kind
	// Sums first converts scores of pairs (i, j) to one score per label. This is the sum over the pairs
	// with the label as j, minus the sum over the pairs with the label as i.
	Sums bool
	// Slopes a and Shifts b have one value per score, for Sigmoid and Softmax.
	Slopes, Shifts []float64
	// Curves has one curve per score, for the kind Curves.
	Curves []Curve
}

// Curve is a piecewise linear probability with ascending knots At. It is constant outside.
type Curve struct{ At, Values []float64 }

// Kind is the map from scores to probabilities.
type Kind int

const (
	// Sigmoid is c_j = 1/(1 + exp(−a_j·s_j − b_j)).
	Sigmoid Kind = iota
	// Curves is a Curve per score.
	Curves
	// Softmax is p_k = exp(a_k·s_k + b_k)/Σ_l exp(a_l·s_l + b_l).
	Softmax
)

func (k Kind) String() string { return name("Kind", int(k), "sigmoid", "curves", "softmax") }

// name returns the name of a constant.
func name(typ string, i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", typ, i)
	}
	return names[i]
}

// AgreeMargin is the relative margin of the most probable label in Agree. LeastProbability is the
// smallest probability of a label, so that logarithms are finite.
const (
	AgreeMargin      = 0x1p-20
	LeastProbability = 0x1p-1000
)

// Agree changes probabilities p so that the decided class has the largest. It limits all other
// probabilities to (1 − AgreeMargin)·c, where c is the mean of the largest probability and the
// probability of the class. The class gets the excess. Scores and probabilities are calibrated
// separately, so they may disagree on rows where two classes are about equally probable.
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

// Outputs returns q, or 0 for an unfitted model.
func (f Formula) Outputs() int { return len(f.Intercept) }

// Numbers returns the approximate number of numbers in f, including frequencies of random features.
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

// A Modeler has a Formula.
type Modeler interface{ Formula() Formula }

// Output is the map from f(x) to predictions.
type Output int

const (
	// AsIs predicts f(x).
	AsIs Output = iota
	// Ascending sorts the values of a row.
	Ascending
	// Exponential predicts exp(min(f(x), 700)).
	Exponential
	// Nonnegative predicts max(f(x), 0).
	Nonnegative
)

func (o Output) String() string {
	return name("Output", int(o), "as is", "ascending", "exponential", "nonnegative")
}

// Rule is the map from scores, one row of f(x), to a label.
type Rule int

const (
	// NoRule is the rule of a regression.
	NoRule Rule = iota
	// Positive selects the second of two labels if the single score is positive.
	Positive
	// NotNegative selects the second of two labels if the single score is not negative.
	NotNegative
	// Highest selects the label with the highest score, the first on a tie.
	Highest
	// Votes has one score per pair of labels (i, j), i < j, in the order (0,1), (0,2), … (1,2), …. A
	// positive score is a vote for j, another score for i. It selects the label with the most votes,
	// the first on a tie.
	Votes
)

func (r Rule) String() string {
	return name("Rule", int(r), "none", "positive", "not negative", "highest", "votes")
}
