package model

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/loss"
)

// Formula returns s as a formula, with copies of its constants and terms.
func (s *Sum) Formula() formula.Formula {
	if len(s.Intercept) == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: s.Inputs, Intercept: s.Constants(), Expansions: s.Expansions()}
}

// Deciding returns f as the scores of a classifier that decides by input.Class, with its probabilities. It
// returns an empty formula unchanged.
func Deciding(f formula.Formula, labels []int, c *calibrate.Classes) formula.Formula {
	rule := formula.Highest
	if len(labels) == 2 && f.Outputs() == 1 {
		rule = formula.Positive
	}
	f = DecidingBy(f, labels, rule)
	f.Probabilities = c.Formula()
	return f
}

// WithLoss returns f with the probabilities of a loss, if f has no probabilities and the loss defines them as
// the sigmoid or the softmax of the scores. It compares values, so that user-defined losses are recognised.
func WithLoss(f formula.Formula, of loss.Loss) formula.Formula {
	n, classes := f.Outputs(), len(f.Labels)
	own := Labels{Names: f.Labels}.Of(of, n)
	if n == 0 || f.Probabilities != nil || own == nil {
		return f
	}
	p := &formula.Probabilities{Kind: formula.Softmax, Slopes: slices.Repeat([]float64{1}, n), Shifts: make([]float64, n)}
	to := loss.Softmax{}.Probabilities
	if n == 1 && classes == 2 {
		p.Kind = formula.Sigmoid
		to = func(p, s []float64) { p[0], p[1] = 1/(1+math.Exp(s[0])), 1/(1+math.Exp(-s[0])) }
	}
	scores, got, want := make([]float64, n), make([]float64, classes), make([]float64, classes)
	for t := range 7 {
		for k := range scores {
			scores[k] = float64((3*k+t)%7 - 3)
		}
		own(got, scores)
		if to(want, scores); !floats.EqualApprox(got, want, 1e-12) {
			return f
		}
	}
	f.Probabilities = p
	return f
}

// DecidingBy returns f with labels and a decision rule. It returns an empty formula unchanged.
func DecidingBy(f formula.Formula, labels []int, rule formula.Rule) formula.Formula {
	if f.Outputs() > 0 {
		f.Labels, f.Rule = labels, rule
	}
	return f
}

// Predicting returns f with an output transform. It returns an empty formula unchanged.
func Predicting(f formula.Formula, output formula.Output) formula.Formula {
	if f.Outputs() > 0 {
		f.Output = output
	}
	return f
}
